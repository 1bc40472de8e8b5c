import { millisecondsInDay } from 'date-fns/constants';
import { type Backing, createNamespace } from '../../cache/namespace.ts';
import type { AnswerTurns } from '../../concurrency/answer-turns.ts';
import { noteRequest } from '../../concurrency/request-scope.ts';
import type { Answer, Part } from '../../model/answer.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question, Run } from '../../model/question.ts';
import { reportIds } from '../../model/report-ids.ts';
import {
  type AudienceScope,
  ask,
  type Principal,
  type ReportRequest,
  type Selection,
} from '../../model/request.ts';
import { mergeScopes, withAskedAt } from '../outcomes/read-table.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { AnswersApi } from './answers-api.ts';
import { createCyclePercentiles, createDwellPercentiles } from './figures/usual-times.ts';
import { kindOf, provenancesOf } from './index.ts';
import { issueKind, issuesKind } from './issue/issue-kind.ts';
import { countMine, mineKind } from './mine/mine-kind.ts';
import type { AnswerParts, QuestionKind } from './question-kind.ts';
import { readFigureId } from './why/explanation.ts';

/** The parts of answers, and the store of the questions that were answered. */
interface AnswersParts extends Omit<AnswerParts, 'dwellPercentiles' | 'cyclePercentiles' | 'part'> {
  /** The name of the tracker the data comes from. */
  readonly tracker: () => Promise<string>;
  /** The store of runs, which outlive the process. */
  readonly stored: Backing;
  /** A short unguessable word. */
  readonly newId: () => string;
}

/** The part of a list that is answered where none is requested. */
const firstPart: Part = { start: 0, size: 10 };
const noPart: Part = { start: 0, size: 0 };

/** A menu of Slack takes no more. */
const MAX_FIGURES = 100;

/**
 * Answers over the reporting port, by the kinds of questions. An answer is as of one instant however many reports it takes,
 * and the same again as of the same instant.
 */
export function createAnswers(parts: AnswersParts): AnswersApi {
  const { reporting, now } = parts;
  const percentiles = {
    dwellPercentiles: createDwellPercentiles(reporting, now),
    cyclePercentiles: createCyclePercentiles(reporting, now),
  };
  const runs = createRuns(parts);

  function contextOf(
    question: Question,
    principal: Principal,
    asOf: Instant,
    part: Part = noPart,
    linksWithin?: ReportRequest['linksWithin'],
  ) {
    const inZone = inZoneOf(question, reporting, linksWithin);
    return { principal, asOf, parts: { ...parts, ...percentiles, part, reporting: inZone } };
  }

  async function answerOf<Own extends Question, Value>(
    kind: QuestionKind<Own, Value>,
    principal: Principal,
    question: Own,
    requested: Instant | null = null,
    part: Part = firstPart,
    linksWithin?: ReportRequest['linksWithin'],
  ): Promise<Answer<Value>> {
    noteRequest({ kind: kind.kind });
    const asOf = requested ?? now();
    const context = contextOf(question, principal, asOf, part, linksWithin);
    const { value: figures, contents } = await kind.answer(question, context);
    const value = kind.withProvenance(figures, (one) => withAskedAt(one, requested));
    return { question, asOf, value, contents, isEmpty: kind.isEmpty(value) };
  }

  return {
    answer: (principal, question, ...how) => answerOf(kindOf(question), principal, question, ...how),
    ask: answerOf,
    audienceScope: (principal, answer) => contentsOf(principal, answer, inZoneOf(answer.question, reporting)),
    async previewAssigned(principal, question) {
      const { ages, withBaseline } = await countMine(question, contextOf(question, principal, now()));
      return { ages: await ages(), withBaseline: async () => (await withBaseline()).value };
    },
    storeRun: runs.storeRun,
    async run(id) {
      const run = await runs.run(id);
      await assertSameSample(run, parts);
      return run;
    },
    figures({ question, value }) {
      const choices = new Map(
        kindOf(question)
          .figures(value)
          .map((choice) => [choice.id, choice]),
      );
      return [...choices.values()].slice(0, MAX_FIGURES);
    },
    explain: async (principal, question, asOf, figure) =>
      kindOf(question).explain(readFigureId(figure), question, contextOf(question, principal, asOf)),
    async requestOf(principal, question, asOf) {
      const request = await kindOf(question).file(question, contextOf(question, principal, asOf ?? now()));
      return request === null ? null : { ...request, timeZone: request.timeZone ?? question.timeZone };
    },
  };
}

/**
 * The scope of an answer. A hosted service does not return it with figures and is asked for it: about all issues of the
 * question, which may be more than are in the answer, and never fewer. Null where it is unknown.
 */
async function contentsOf(
  principal: Principal,
  answer: Answer,
  reporting: Pick<AnswerParts['reporting'], 'audienceScope'>,
): Promise<AudienceScope | null> {
  const { question, asOf, value, contents } = answer;
  if (contents !== null || provenancesOf(answer).some(({ tracker }) => tracker !== 'hosted')) return contents;
  const about = (selection: Selection) =>
    ask({ principal, reportType: reportIds.statusCount, selection, asOf });
  const kind = kindOf(question);
  const requests =
    kind.issuesBehind?.(question, value, about) ?? kind.selections(question).map((one) => about(one));
  const found: (AudienceScope | null)[] = [];
  for (const request of requests) found.push(await reporting.audienceScope(request));
  return found.length === 0 ? null : found.reduce(mergeScopes);
}

const RUN_TTL_MS = 90 * millisecondsInDay;

/** Questions that were answered, for 90 days. */
function createRuns({
  stored,
  now,
  newId,
}: Pick<AnswersParts, 'stored' | 'now' | 'newId'>): Pick<AnswersApi, 'storeRun' | 'run'> {
  const runs = createNamespace<Run>({
    name: 'run',
    // The last millisecond counts.
    ttlMs: RUN_TTL_MS + 1,
    maxEntries: null,
    now,
    backing: stored,
    fromFuture: 'good',
  });
  return {
    async storeRun(account, { question, asOf }) {
      const run = { id: newId(), account, question, asOf, askedAt: now() };
      await runs.set(run.id, run);
      return run;
    },
    async run(id) {
      const run = await runs.get(id);
      if (run !== undefined) return run;
      throw new AppError(
        'unknown-answer',
        'This answer has expired (answers are stored for 90 days). Ask again.',
      );
    },
  };
}

/**
 * Sample data is invented up to the midnight (UTC) before a question, and so has more of an earlier day than it had on that
 * day: an answer of then cannot be shown again. `unknown-answer` for one.
 */
async function assertSameSample(
  { asOf }: Run,
  { tracker, now }: Pick<AnswersParts, 'tracker' | 'now'>,
): Promise<void> {
  if (dayOf(asOf) >= dayOf(now()) || (await tracker()) !== 'sample') return;
  throw new AppError(
    'unknown-answer',
    "Sample data changes every day, so earlier answers can't be shown again. Ask again.",
  );
}

function dayOf(at: Instant): number {
  return Math.floor(at / millisecondsInDay);
}

/**
 * The reporting port for one question: dates are read in the zone of the question, also for the next person who asks it,
 * unless a request names another, and only these links count.
 */
function inZoneOf(
  { timeZone }: { readonly timeZone: string },
  reporting: ReportingApi,
  linksWithin?: ReportRequest['linksWithin'],
): ReportingApi {
  const links = linksWithin === undefined ? {} : { linksWithin };
  const inZone = <Input extends { readonly timeZone?: string | null }>(input: Input): Input => ({
    ...input,
    ...links,
    timeZone: input.timeZone ?? timeZone,
  });
  return {
    ...reporting,
    report: (request) => reporting.report(inZone(request)),
    open: (request, ...more) => reporting.open(inZone(request), ...more),
    slices: (request) => reporting.slices(inZone(request)),
    count: (request) => reporting.count(inZone(request)),
    audienceScope: (request) => reporting.audienceScope(inZone(request)),
    check: (request) => reporting.check(inZone(request)),
    outcomes: (issues) => reporting.outcomes(inZone(issues)),
    finishedSpans: (input) => reporting.finishedSpans(inZone(input)),
    stagesOverTime: (input) => reporting.stagesOverTime(inZone(input)),
    openIssues: (input) => reporting.openIssues(inZone(input)),
    blockedSpans: (input) => reporting.blockedSpans(inZone(input)),
    endedVisits: (input) => reporting.endedVisits(inZone(input)),
    movedSince: (input) => reporting.movedSince(inZone(input)),
    sprintOutcomes: (input) => reporting.sprintOutcomes(inZone(input)),
  };
}

/** Kinds of questions about a few issues, which are answered at once. */
const smallKinds: ReadonlySet<string> = new Set([issueKind, issuesKind, mineKind].map(({ kind }) => kind));

/** The same answers, each over many issues in a turn of its own. */
export function answersInTurns(answers: AnswersApi, turns: AnswerTurns): AnswersApi {
  async function inTurn<Result>(principal: Principal, kind: string, work: () => Promise<Result>) {
    if (smallKinds.has(kind)) return work();
    const { end } = await turns.take(principal);
    try {
      return await work();
    } finally {
      end();
    }
  }
  return {
    ...answers,
    answer: (principal, question, ...more) =>
      inTurn(principal, question.kind, () => answers.answer(principal, question, ...more)),
    ask: (kind, principal, question, ...more) =>
      inTurn(principal, kind.kind, () => answers.ask(kind, principal, question, ...more)),
    explain: (principal, question, ...more) =>
      inTurn(principal, question.kind, () => answers.explain(principal, question, ...more)),
  };
}
