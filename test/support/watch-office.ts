import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { pino } from 'pino';
import type { AgingIssue, DwellPercentile } from '../../src/api/answers/aging/aging-answer.ts';
import { normalHoursDefinition } from '../../src/api/settings/local-settings.ts';
import { createWatches } from '../../src/api/watches/create-watches.ts';
import type { WatchesParts, WatchStore } from '../../src/api/watches/recipients.ts';
import type { ReminderVisit, WatchNotifier } from '../../src/api/watches/watches-api.ts';
import type { ChainPath } from '../../src/model/delegation.ts';
import { AppError, badRequest } from '../../src/model/error.ts';
import type { Instant, Status } from '../../src/model/issue.ts';
import type { Principal } from '../../src/model/request.ts';
import type { CalendarDefinition } from '../../src/model/settings.ts';
import type { Watch, WatchInput } from '../../src/model/watch.ts';
import { calendarOf } from '../../src/time/calendar.ts';
import { aProvenance } from './a-provenance.ts';
import { openTestStore } from './open-test-store.ts';
import { principalOf } from './principal-of.ts';

/** Whole working days of nine to five, from Monday to Friday, in Berlin. */
export const berlinOffice: CalendarDefinition = {
  id: 1,
  name: 'Berlin office',
  timeZone: 'Europe/Berlin',
  workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const).map((weekday) => ({
    weekday,
    start: 9 * millisecondsInHour,
    end: 17 * millisecondsInHour,
  })),
  holidays: [],
};

/** Review of WEB for more than two days, told to who is in charge. */
export const reviewTooLong: WatchInput = {
  selection: { by: 'project', project: 'WEB' },
  title: 'WEB',
  status: { id: '4', name: 'Review' },
  threshold: { by: 'time', ms: 2 * millisecondsInDay, words: '2 days' },
  calendar: 'normalHours',
  timeZone: 'Europe/Berlin',
  tells: 'assignee',
};

/** Ada, whose watches these are. */
export const adaWatching = { owner: principalOf('U0ADA'), principal: principalOf('ada') };

/** An issue that waits, as a test tells it. */
interface Waiting {
  readonly since: Instant;
  readonly with?: string | null;
  readonly status?: string;
  readonly baseline?: DwellPercentile | null;
  /** When it was started, where that is not when it came into its status, and the target that was set or learned. */
  readonly startedAt?: Instant;
  readonly target?: { readonly withinMs: number; readonly source: 'set' | 'learned' };
  /** Users of the tracker who may not see it. */
  readonly hiddenFrom?: readonly string[];
}

/** What tests change while somebody watches: everything may be replaced at any time. */
export interface WatchedWorld {
  now: Instant;
  issues: Record<string, Waiting>;
  statuses: readonly Status[];
  calendars: readonly CalendarDefinition[];
  /** Paths from somebody who is away, `until` then. */
  away: Record<
    string,
    { readonly category?: string; readonly until?: Instant; readonly paths: readonly ChainPath[] }
  >;
  /** Accounts of users of the tracker. */
  accounts: Record<string, string>;
  /** Accounts that nobody has any more. */
  gone: readonly string[];
  /** Whether any issue was ever in any status. */
  everObserved: boolean;
  /** Users of the tracker whose account cannot be looked up now. */
  unreachable: readonly string[];
  /** Keys of issues of which a cut history does not tell since when. */
  unknown: readonly string[];
  /** What the next questions about ages fail with. */
  trouble: AppError | null;
}

/** A Monday at noon in Berlin. */
export const MONDAY_NOON = Date.parse('2026-03-16T11:00:00Z');

/** A world in which Ben, Cleo and Ada are there, and nothing waits. */
export function aWatchedWorld(more: Partial<WatchedWorld> = {}): WatchedWorld {
  return {
    now: MONDAY_NOON,
    issues: {},
    statuses: [
      { id: '4', name: 'Review', category: 'In Progress', deleted: false },
      { id: '9', name: 'Done', category: 'Done', deleted: false },
    ],
    calendars: [normalHoursDefinition, berlinOffice],
    away: {},
    accounts: { ada: 'U0ADA', ben: 'U0BEN', cleo: 'U0CLEO' },
    gone: [],
    everObserved: true,
    unreachable: [],
    unknown: [],
    trouble: null,
    ...more,
  };
}

/** What somebody was told, as a test reads it. */
interface Heard {
  readonly account: string;
  readonly keys: readonly string[];
  readonly why: ReminderVisit['why'];
  readonly at: Instant;
}

/** A notifier that remembers whom it told what; `outcomes` are those of the next nudges, then all are told. */
export function aRecordingNotifier(world: WatchedWorld) {
  const heard: Heard[] = [];
  const troubles: Watch[] = [];
  const outcomes: Awaited<ReturnType<WatchNotifier['remind']>>[] = [];
  const owner = { hears: true };
  const notifier: WatchNotifier = {
    async principalOf(account) {
      if (world.gone.includes(account)) return null;
      const user = Object.keys(world.accounts).find((one) => world.accounts[one] === account);
      return principalOf(user ?? account);
    },
    async accountOf(user) {
      if (world.unreachable.includes(user))
        throw new AppError('service-unavailable', 'Slack does not answer');
      return world.accounts[user] ?? null;
    },
    async remind(reminder, account) {
      const outcome = outcomes.shift() ?? 'sent';
      const visits = reminder.flatMap((group) => group.visits);
      const [first] = visits;
      if (first === undefined) throw new Error('nobody is told of nothing');
      if (outcome === 'sent' || outcome === 'unknown') {
        heard.push({ account, keys: visits.map(({ issue }) => issue.key), why: first.why, at: world.now });
      }
      return outcome;
    },
    wasReminded: async ({ key }) => heard.some(({ keys }) => keys.includes(key)),
    async notifyOwner(watch) {
      troubles.push(watch);
      return owner.hears;
    },
  };
  return { notifier, heard, troubles, outcomes, owner };
}

/** A process that watches a world, over a store that others may share. */
export async function aWatchOffice(
  world: WatchedWorld,
  dataDir: string,
  { changeStore = (store) => store }: { readonly changeStore?: (store: WatchStore) => WatchStore } = {},
) {
  const store = await openTestStore(dataDir);
  const parts: WatchesParts = {
    store: changeStore(store),
    tenant: store.tenant,
    ages: agesOf(world),
    reporting: {
      statuses: async () => world.statuses,
      async report({ principal, selection }) {
        if (selection.by === 'keys') for (const key of selection.keys) assertVisible(key, principal, world);
        const included = world.everObserved ? world.statuses : [];
        return {
          columns: [],
          issues: [],
          rows: [],
          statuses: { included, excluded: [], deleted: [] },
          composite: false,
          statistic: null,
          page: null,
          provenance: aProvenance({ asOf: world.now }),
        };
      },
    },
    delegations: {
      async chainOf({ person, category }) {
        const { category: named = 'general', paths = [] } = world.away[person] ?? {};
        return { person, category, asOf: world.now, paths: named === category ? paths : [], more: false };
      },
      async delegations(_, { delegator }) {
        const away = world.away[delegator ?? ''];
        const delegate = away?.paths[0]?.people[1];
        if (away?.until === undefined || delegator === null || delegate === undefined)
          return { values: [], total: 0 };
        const span = { start: world.now - millisecondsInDay, end: away.until };
        const wish = { active: true, delegator, delegates: [delegate], categoryIds: [], notes: '' };
        return { values: [{ id: 1, version: 1, ...wish, ...span }], total: 1 };
      },
    },
    settings: { calendars: async () => world.calendars },
    now: () => world.now,
    newId: () => crypto.randomUUID(),
    log: pino({ level: 'silent' }),
  };
  return { watches: createWatches(parts), store, close: () => store.close() };
}

function isHidden(key: string, { account }: Principal, world: WatchedWorld): boolean {
  return world.issues[key]?.hiddenFrom?.includes(account) === true;
}

function assertVisible(key: string, principal: Principal, world: WatchedWorld): void {
  if (isHidden(key, principal, world)) throw badRequest(`keys '${key}' is not known. Try: issue keys.`);
}

function agesOf(world: WatchedWorld): WatchesParts['ages'] {
  return async (principal, { calendar, timeZone }) => {
    if (world.trouble !== null) throw world.trouble;
    const definition = world.calendars.find(({ id }) => String(id ?? 'normalHours') === calendar);
    if (definition === undefined) throw new Error('a calendar is missing');
    const hours = calendarOf(definition);
    const issues = Object.entries(world.issues)
      .filter(([key]) => !isHidden(key, principal, world))
      .map(([key, waiting]): AgingIssue => {
        const { since, with: person = 'ben', status = '4', baseline = null, startedAt = since } = waiting;
        const ageMs = hours.between(since, world.now);
        const workMs = hours.between(startedAt, world.now);
        const { target = null } = waiting;
        return {
          key,
          summary: `About ${key}`,
          link: `https://tracker.example/browse/${key}`,
          project: 'WEB',
          status: {
            id: status,
            name: status === '4' ? 'Review' : 'Elsewhere',
            category: 'In Progress',
            kind: 'active',
          },
          assignee: person === null ? null : { id: person, name: person },
          since,
          ageMs,
          usual: baseline,
          pace: baseline === null ? null : ageMs / baseline.p85Ms,
          workMs,
          target:
            target === null
              ? null
              : { percent: 85, ...target, dueAt: null, isMissed: workMs > target.withinMs },
          historyComplete: true,
        };
      });
    const { between: _, ...facts } = hours;
    return {
      question: { kind: 'aging', timeZone },
      asOf: world.now,
      contents: null,
      isEmpty: issues.length === 0,
      value: {
        issues,
        projects: ['WEB'],
        total: issues.length,
        ...{ withUsual: 0, beyondUsual: 0, target: null },
        notStarted: { count: 0, oldestMs: null },
        ageUnknown: world.unknown,
        ...{ unclear: [], statusesWithoutCategory: [] },
        provenance: { ...aProvenance({ asOf: world.now }), calendar: facts },
      },
    };
  };
}
