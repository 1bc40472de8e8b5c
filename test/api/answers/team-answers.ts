import type { AnswersApi } from '../../../src/api/answers/answers-api.ts';
import { createAnswers } from '../../../src/api/answers/create-answers.ts';
import type { DelegationApi } from '../../../src/api/delegations/delegation-api.ts';
import type { IssueReasons } from '../../../src/api/nudges/nudges-api.ts';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { normalHoursDefinition } from '../../../src/api/settings/local-settings.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import type { Answer, Explanation, Part } from '../../../src/model/answer.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Question, ReportQuestion, Run, Side } from '../../../src/model/question.ts';
import { ask, type Principal, type ReportRequest, type Selection } from '../../../src/model/request.ts';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import type { AnyQuestion } from '../../support/any-question.ts';
import { isOpen } from '../../support/local-records.ts';
import { anOffice } from '../delegations/an-office.ts';
import { ada, calendars as teamCalendars, web } from './a-team.ts';

/** What an answering port is made of in a test; `saved` are requests behind parameter sets. */
interface TeamAnswersParts {
  readonly reporting: ReportingApi;
  readonly now: () => number;
  readonly delegations?: DelegationApi;
  readonly tracker?: () => Promise<string>;
  readonly people?: Readonly<Record<string, string>>;
  readonly zones?: Readonly<Record<string, string>>;
  readonly saved?: Readonly<Record<string, Partial<ReportRequest>>>;
  readonly calendars?: readonly CalendarDefinition[];
  readonly reasonsFor?: IssueReasons['reasonsFor'];
}

/** An answering port. */
interface TeamAnswers {
  readonly answers: Omit<AnswersApi, 'answer' | 'explain' | 'storeRun'> & {
    answer(
      principal: Principal,
      question: AnyQuestion | Question,
      asOf: number | null,
      part?: Part,
    ): Promise<Answer>;
    explain(
      principal: Principal,
      question: AnyQuestion | Question,
      asOf: number,
      figure: string,
    ): Promise<Explanation>;
    storeRun(
      account: string,
      answer: { readonly question: AnyQuestion; readonly asOf: number },
    ): Promise<Run>;
  };
}

/** A question about the time in status of the team's issues, or another report. */
export function aReport(
  more: Partial<ReportRequest> = {},
  range: ReportQuestion['range'] = null,
): ReportQuestion {
  const whole = ask({ principal: ada, reportType: 'statusDuration', selection: web, ...more });
  const { principal: _principal, asOf: _asOf, page: _page, dateRange: _range, ...request } = whole;
  return { kind: 'report', request, range, timeZone: 'UTC' };
}

/** A side of a comparison. */
export function aSide(title: string, selection: Selection = web, range: Side['range'] = null): Side {
  return { title, selection, range };
}

/** A store without delegations, one for all answers until a suite closes it, because each has a file. */
let idle: ReturnType<typeof anOffice> | null = null;
async function noOneAway(): Promise<DelegationApi> {
  if (idle === null || !isOpen((await idle).store)) idle = anOffice();
  return (await idle).api;
}

/** Answers over a reporting port: ada, bob and carl are known, and no one covers for anyone unless `delegations` says so. */
export async function teamAnswers({
  reporting,
  now,
  delegations,
  tracker = async () => 'file',
  zones = {},
  people = { ada: 'Ada', bob: 'Bob', carl: 'Carl' },
  saved = {},
  calendars = teamCalendars,
  reasonsFor = async () => new Map(),
}: TeamAnswersParts): Promise<TeamAnswers> {
  let runs = 0;
  const answers = createAnswers({
    reporting,
    delegations: delegations ?? (await noOneAway()),
    userName: async (id) => people[id] ?? null,
    userZone: async (id) => zones[id] ?? null,
    knowsUsers: async () => Object.keys(people).length > 0,
    async readSaved(principal, { setId }) {
      const request = saved[setId];
      if (request === undefined)
        throw new AppError('unknown-parameter-set', `There is no parameter set '${setId}'.`);
      return ask({ principal, reportType: 'statusDuration', selection: web, ...request });
    },
    reasonsFor,
    calendars: async () => [normalHoursDefinition, ...calendars],
    stored: inMemory,
    now,
    tracker,
    newId: () => `run${++runs}`,
  });
  return { answers };
}
