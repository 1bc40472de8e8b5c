import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import type { AnswersApi } from '../../src/api/answers/answers-api.ts';
import { createDigests } from '../../src/api/digests/create-digests.ts';
import type { DigestNotifier } from '../../src/api/digests/digests-api.ts';
import { normalHoursDefinition } from '../../src/api/settings/local-settings.ts';
import type { Answer } from '../../src/model/answer.ts';
import type { DigestInput } from '../../src/model/digest.ts';
import type { Instant } from '../../src/model/issue.ts';
import type { Question } from '../../src/model/question.ts';
import type { CalendarDefinition } from '../../src/model/settings.ts';
import type { DigestPostParts } from '../../src/slack/app/parts.ts';
import { createDigestNotifier } from '../../src/slack/digests/digest-notifier.ts';
import type { TenantStore } from '../../src/store/store.ts';
import { anAging, anAgingAnswer, anAgingIssue } from './an-answer.ts';
import type { AnyQuestion } from './any-question.ts';
import { backgroundClient } from './background-client.ts';
import { openTestStore } from './open-test-store.ts';
import { principalOf } from './principal-of.ts';
import type { StandInSlack } from './stand-in-slack.ts';
import { storedDigests } from './stored-digests.ts';

/** Open work of WEB. */
const agingOfWeb: AnyQuestion = {
  kind: 'aging',
  selection: { by: 'project', project: 'WEB' },
  calendar: 'normalHours',
  timeZone: 'Europe/Berlin',
};

/** Every hour, on the hour, into a channel. */
export const hourly: DigestInput = {
  title: 'Open work',
  question: agingOfWeb,
  place: { kind: 'channel', channel: 'C0GENERAL' },
  schedule: { cron: '0 * * * *', timeZone: 'UTC' },
  workingDays: null,
  file: null,
};

/** Ada, who owns everything here. */
export const adaHere = principalOf('U0ADA');

/** An answer to a question as of an instant: one issue of WEB, which everybody may see. */
export function anAnswerOf(question: Question, asOf: Instant): Answer {
  const contents = { projects: ['WEB'], issues: 1, withLevel: 0 };
  return { ...anAgingAnswer(anAging([anAgingIssue('WEB-7', 24)])), question, asOf, contents, isEmpty: false };
}

type DigestsStore = Pick<TenantStore, 'digests' | 'periods'>;

/** Everything may be left out but where it works. */
export interface DigestOfficeParts {
  readonly dataDir: string;
  readonly clock: { now: Instant };
  readonly slack?: Pick<StandInSlack, 'botToken' | 'apiUrl'>;
  readonly notifier?: DigestNotifier;
  readonly answer?: (question: Question, asOf: Instant) => Promise<Answer>;
  readonly calendars?: readonly CalendarDefinition[];
  readonly changeStore?: (store: DigestsStore) => DigestsStore;
  readonly changeDoor?: (door: DigestPostParts) => DigestPostParts;
  readonly log?: Logger;
}

/** A process that posts digests, over a store that others may share. */
export async function aDigestOffice({
  dataDir,
  clock,
  slack = { botToken: 'xoxb-nobody', apiUrl: 'http://127.0.0.1:9/' },
  notifier,
  answer = async (question, asOf) => anAnswerOf(question, asOf),
  calendars = [normalHoursDefinition],
  changeStore = (store) => store,
  changeDoor = (door) => door,
  log = pino({ level: 'silent' }),
}: DigestOfficeParts) {
  const store = await openTestStore(dataDir);
  const now = () => clock.now;
  const answers = only<AnswersApi>('answers', {
    audienceScope: async (_principal, { contents }) => contents,
    answer: (_principal, question, asOf) => answer(question, asOf ?? now()),
    async storeRun(account, { question, asOf }) {
      return { id: 'run1', account, question, asOf, askedAt: now() };
    },
    requestOf: async () => null,
  });
  const settings = only<DigestPostParts['settings']>('settings', {
    calendars: async () => calendars,
    defaultCalendar: async () => 'normalHours',
  });
  const door: DigestPostParts = changeDoor({
    web: backgroundClient(slack),
    wait: async () => {},
    now,
    log,
    answers,
    audit: { leaving: async () => {} },
    settings,
    pictures: { refusals: { get: async () => undefined, set: async () => {} }, draw: async () => null },
    channels: only<DigestPostParts['channels']>('channels', {
      channel: async (channel) => ({
        channel,
        timeZone: null,
        calendar: null,
        projects: null,
        unfurls: false,
        changedBy: null,
        changedAt: null,
      }),
    }),
    channelFacts: { outsidersIn: async () => ({ kind: 'none' }) },
    reporting: only<DigestPostParts['reporting']>('reporting', {
      reportTypes: [],
      browseScope: async () => ({ closedProjects: [], openLevels: [], everything: false }),
    }),
    exports: only<DigestPostParts['exports']>('exports', {}),
    people: only<DigestPostParts['people']>('people', {
      tenant: store.tenant,
      users: async () => new Map(),
      linkOf: async () => null,
    }),
    accounts: only<DigestPostParts['accounts']>('accounts', {
      profileOf: async (account) => ({
        name: account,
        standing: 'ours',
        email: null,
        isGuest: false,
        emailConfirmed: true,
        timeZone: 'Europe/Berlin',
        refused: null,
      }),
    }),
  });
  const digests = createDigests({
    store: changeStore(store),
    answers,
    settings,
    tenant: store.tenant,
    now,
    newId: () => crypto.randomUUID(),
    log,
  });
  digests.start(notifier ?? createDigestNotifier(door));
  return {
    digests,
    store: storedDigests(store),
    door,
    ledger: join(dataDir, 'ledger'),
    close: () => store.close(),
  };
}

/** A port of which nothing else is to be asked. */
function only<Port extends object>(name: string, given: Partial<Port>): Port {
  return new Proxy({ ...given } as Port, {
    get(target, member) {
      if (member in target) return Reflect.get(target, member);
      throw new Error(`${name}.${String(member)} was asked`);
    },
  });
}
