import { millisecondsInDay } from 'date-fns/constants';
import type { Logger } from 'pino';
import type { Mine } from '../../api/answers/aging/aging-answer.ts';
import type { WeeklyAggregates } from '../../api/answers/weekly/weekly-answer.ts';
import { weeklyKind } from '../../api/answers/weekly/weekly-kind.ts';
import type { CategoryId, Delegation } from '../../model/delegation.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, closedTo, type Principal, principalIn } from '../../model/request.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { Watch } from '../../model/watch.ts';
import { normalHours } from '../../time/calendar.ts';
import { dayAt, firstInstantFrom } from '../../time/wall-clock.ts';
import { marked } from '../answers/view/marked-wording.ts';
import { knownSync } from '../answers/view/sync-lines.ts';
import { hoursHere } from '../app/hours-here.ts';
import { notice, shortenedNames } from '../app/message-texts.ts';
import type { HomeParts } from '../app/parts.ts';
import { failureMessage, Refused } from '../app/show-failure.ts';
import { tryAgain } from '../app/slack-refusal.ts';
import { calendarIdOf } from '../ask/grammar/read-calendar.ts';
import { exampleKey, usualProjects } from '../ask/parser-context-of.ts';
import type { Message } from '../blocks/message.ts';
import { escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { zonesAmong } from '../delegates/cover-words.ts';
import { loginOf, type Member, resolvePrincipal } from '../people/accounts.ts';
import { identify } from '../people/identify.ts';

/** A part of the Home tab: still counted, known, or failed: why, and whether that passes by itself. */
export type Section<Value> =
  | { readonly state: 'counting' }
  | { readonly state: 'known'; readonly value: Value }
  | { readonly state: 'failed'; readonly why: Message; readonly isPassingFailure: boolean };

/** The person in the tracker; where they are unknown, an invitation to say who they are. */
type Who =
  | { readonly kind: 'known'; readonly name: string; readonly login: string; readonly admin: boolean }
  | { readonly kind: 'unknown'; readonly invitation: Message };

/** The issues that are assigned to a person and to the people they cover for. */
export interface Assigned {
  readonly mine: Mine;
  /** The number of their own issues that are hidden for a while. */
  readonly snoozed: number;
}

/** The cover of someone (user id) from now on. `person` and `category` write names (mrkdwn). */
export interface Cover {
  readonly self: string;
  /** Zones in which a cover of these people can be of whole days. */
  readonly zonesOf: (people: readonly string[]) => readonly string[];
  readonly delegations: readonly Delegation[];
  /** Part of it has no one who covers. */
  readonly hasGaps: boolean;
  readonly person: (id: string) => string;
  readonly category: (id: CategoryId) => string;
}

/** The last whole week of a project, or why it is not known. */
export type ProjectWeek = { readonly project: string } & (
  | { readonly weekly: WeeklyAggregates }
  | { readonly why: Message }
);

/** Weeks of someone's projects. `chosen`: by themselves, else where their issues are. */
export interface Weeks {
  readonly weeks: readonly ProjectWeek[];
  readonly chosen: boolean;
}

/** The digests and watches that come to a person, or to a channel for them, on a schedule. */
export interface Scheduled {
  readonly digests: readonly Digest[];
  readonly watches: readonly Watch[];
  /** Nothing of it is posted, since the database was restored. */
  readonly isPaused: boolean;
}

/** Which hours count for someone, how fresh the data is, and an issue to try things with. */
export interface Facts {
  /** Null: 24/7. */
  readonly calendar: string | null;
  readonly timeZone: string;
  readonly exampleKey: string | null;
  /** Null while there is no issue. `dataAsOf` null: computed at once. */
  readonly ground: { readonly tracker: string; readonly dataAsOf: Instant | null } | null;
}

/** The content that the Home tab is made from. Null: nothing, for a person the tracker does not know. */
export interface HomeContent {
  readonly at: Instant;
  /** They open it for the first time ever. */
  readonly isFirst: boolean;
  readonly who: Section<Who>;
  readonly assigned: Section<Assigned | null>;
  /** A message where cover cannot be listed, or not for this person. */
  readonly cover: Section<Cover | Message | null>;
  readonly weeks: Section<Weeks>;
  readonly scheduled: Section<Scheduled>;
  readonly facts: Section<Facts>;
  /** Null: nothing is synced. */
  readonly sync: Section<SyncStatus | null>;
}

/** Nothing is known yet. */
function emptyHome(at: Instant, isFirst: boolean): HomeContent {
  const counting = { state: 'counting' } as const;
  return {
    at,
    isFirst,
    who: counting,
    assigned: counting,
    cover: counting,
    weeks: counting,
    scheduled: counting,
    facts: counting,
    sync: counting,
  };
}

/** Why a part of the tab is not known. Its sentences say what is wrong; a heading above them would say nothing. */
function partFailure(error: unknown, failed: Readonly<Record<string, string>>, log: Logger): Message {
  if (error instanceof AppError && error.code === 'bad-request') {
    const [first, ...others] = error.details;
    if (first !== undefined) return failureMessage(new AppError(error.reason, first, others), failed, log);
  }
  return failureMessage(error, failed, log);
}

/**
 * Facts about a person that Home itself remembers: that they never opened it, and the issues they snoozed, by key with
 * since when.
 */
interface Remembered {
  readonly isFirst: boolean;
  readonly snoozed: ReadonlyMap<string, Instant>;
}

type Part = keyof Omit<HomeContent, 'at' | 'isFirst'>;
type ValueOf<Name extends Part> = HomeContent[Name] extends Section<infer Value> ? Value : never;

/** Fills a Home tab, of which nothing is known at first: a part that fails says why, and takes no other with it. */
export function gatherHome(account: string, { isFirst, snoozed }: Remembered, parts: HomeParts) {
  let content = emptyHome(parts.now(), isFirst);
  let found: ReturnType<typeof findWho> | null = null;
  const whoOnce = () => {
    found ??= findWho(account, parts);
    return found;
  };
  // As long as it is unknown who they are, nothing is assigned to them, and no cover is theirs.
  const memberOrNull = async () => (await whoOnce().catch(() => null))?.member ?? null;

  async function fill<Name extends Part>(name: Name, find: () => Promise<ValueOf<Name>>): Promise<void> {
    try {
      const value = await find();
      content = { ...content, [name]: { state: 'known', value } };
    } catch (error) {
      const why = partFailure(error, { home: name }, parts.log);
      content = { ...content, [name]: { state: 'failed', why, isPassingFailure: isPassingFailure(error) } };
    }
  }

  return {
    content: () => content,
    async quickly() {
      const owner = principalIn(parts.people.tenant, account);
      await Promise.all([
        fill('who', async () => (await whoOnce()).who),
        fill('cover', async () => findCover(await memberOrNull(), parts)),
        fill('scheduled', async () => {
          const [digests, watches] = [parts.digests.list(owner, null), parts.watches.list(owner)];
          const isPaused = await parts.restore.isPaused();
          return { digests: await digests, watches: await watches, isPaused };
        }),
        fill('sync', () => parts.sync.status()),
        fill('facts', async () => findFacts(account, (await whoOnce()).principal, parts)),
      ]);
    },
    /** Finds the rest: what is assigned, compared with what is usual, and the weeks. */
    async slowly() {
      await fill('assigned', async () => findAssigned(account, await memberOrNull(), snoozed, parts));
      const { assigned } = content;
      const mine = assigned.state === 'known' ? (assigned.value?.mine ?? null) : null;
      await fill('weeks', async () =>
        findWeeks(account, { principal: (await whoOnce()).principal, mine }, parts),
      );
    },
  };
}

/** With which rights someone asks, and who they are in the tracker; `member` null: unknown. Fails as `resolvePrincipal`. */
async function findWho(
  account: string,
  parts: HomeParts,
): Promise<{ readonly principal: Principal; readonly member: Member | null; readonly who: Who }> {
  // A name that is unknown is no reason to invite no one.
  const profile = await parts.accounts.profileOf(account).catch(() => null);
  const person = { principal: principalIn(parts.people.tenant, account), userName: profile?.name ?? account };
  const member = await identify(person, parts).catch((error: unknown) => {
    if (error instanceof Refused) return error;
    throw error;
  });
  if (member instanceof Refused) {
    const principal = await resolvePrincipal(account, parts);
    return { principal, member: null, who: { kind: 'unknown', invitation: member.reply } };
  }
  const { user, principal } = member;
  const admin = principal.rights === 'admin';
  return { principal, member, who: { kind: 'known', name: user.name, login: loginOf(user), admin } };
}

/** The issues that are assigned to a person and not snoozed; without what is usual where that fails. */
async function findAssigned(
  account: string,
  member: Member | null,
  snoozed: Remembered['snoozed'],
  parts: HomeParts,
): Promise<Assigned | null> {
  if (member === null) return null;
  const hours = await hoursHere({ channel: account }, account, parts);
  const question = { kind: 'mine', ...hours } as const;
  const { ages, withBaseline } = await parts.answers.previewAssigned(member.principal, question);
  const mine = await withBaseline().catch((error: unknown) => {
    partFailure(error, { home: 'usual' }, parts.log);
    return ages;
  });
  const { own } = mine;
  const issues = own.issues.filter(({ key, since }) => snoozed.get(key) !== since);
  const hidden = own.issues.filter((issue) => !issues.includes(issue));
  const beyond = own.beyondUsual - hidden.filter(({ pace }) => pace !== null && pace > 1).length;
  const waiting = hidden.filter(({ status }) => status.kind === 'queue').length;
  const notStarted = { ...own.notStarted, count: own.notStarted.count - waiting };
  const shown = { ...own, issues, total: own.total - hidden.length, beyondUsual: beyond, notStarted };
  return { mine: { ...mine, own: shown }, snoozed: hidden.length };
}

const DAYS = 14;

/** Their own cover from now until two weeks after today, in their zone; who can view all gets that of others as well. */
async function findCover(
  member: Member | null,
  { delegations, people, now, timeZone: serverZone }: HomeParts,
): Promise<Cover | Message | null> {
  if (member === null) return null;
  const { principal, user, timeZone } = member;
  if ((await delegations.rightOf(principal)) === 'none')
    return notice("You don't have permission to see cover. An admin can change that.");
  const at = now();
  const until = firstInstantFrom(dayAt(at, timeZone) + DAYS * millisecondsInDay, timeZone);
  const coverage = await delegations.coverage(principal, { from: at, until });
  const users = await people.users();
  const names = shortenedNames(users, await delegations.categories(principal));
  return {
    self: user.id,
    zonesOf: (ids) => zonesAmong(ids, users, [timeZone, serverZone]),
    delegations: coverage.delegations.filter((one) => [one.delegator, ...one.delegates].includes(user.id)),
    hasGaps: coverage.uncovered.some(({ person }) => person === user.id),
    person: (id) => marked.person({ id, name: names.person(id) }),
    category: (id) => escapeMrkdwn(names.category(id)),
  };
}

/** Which hours count for someone, and how fresh the data is: by one issue, for all of them would take long. */
async function findFacts(account: string, principal: Principal, parts: HomeParts): Promise<Facts> {
  const { reporting, settings } = parts;
  const [hours, calendars, key] = await Promise.all([
    hoursHere({ channel: account }, account, parts),
    settings.calendars(principal),
    exampleKey(principal, { channel: account }, account, parts),
  ]);
  const calendar = calendars.find((one) => calendarIdOf(one) === hours.calendar);
  const keys = key === null ? [] : [key];
  const request = ask({ principal, reportType: reportIds.statusCount, selection: { by: 'keys', keys } });
  const report = key === null ? null : (await knownSync(reporting.report(request))).value;
  return {
    calendar: hours.calendar === normalHours.name ? null : (calendar?.name ?? hours.calendar),
    timeZone: hours.timeZone,
    exampleKey: key,
    ground: report === null ? null : report.provenance,
  };
}

/** True if another try can help; a right that is missing does not come by itself, nor does a newer service. */
function isPassingFailure(error: unknown): boolean {
  const failure = tryAgain(error);
  if (!(failure instanceof AppError)) return true;
  const { code, reason } = failure;
  return code !== 'not-allowed' && code !== 'not-authenticated' && reason !== 'service-too-old';
}

/** The most projects whose week is shown, where they are chosen, and where they are guessed from the issues. */
const MAX_CHOSEN = 5;
const MAX_GUESSED = 3;

/** The last whole week of the projects someone chose, else of those most of their open issues are in. */
async function findWeeks(
  account: string,
  { principal, mine }: { readonly principal: Principal; readonly mine: Mine | null },
  parts: HomeParts,
): Promise<Weeks> {
  const { projects: preferred } = await parts.channels.preferences(account);
  const isClosed = closedTo(await parts.reporting.browseScope(principal));
  // Those they can still see.
  const own = (preferred ?? []).filter((key) => !isClosed?.(key)).slice(0, MAX_CHOSEN);
  const chosen = own.length > 0;
  const projects = chosen ? own : (await guessed(account, principal, mine, parts)).slice(0, MAX_GUESSED);
  const hours = await hoursHere({ channel: account }, account, parts);
  const weeks = await Promise.all(
    projects.map(async (project): Promise<ProjectWeek> => {
      const selection = { by: 'project', project } as const;
      try {
        const question = { kind: 'weekly', selection, week: 'last', ...hours } as const;
        const { value } = await parts.answers.ask(weeklyKind, principal, question);
        return { project, weekly: value };
      } catch (error) {
        return { project, why: partFailure(error, { home: 'weeks', project }, parts.log) };
      }
    }),
  );
  return { weeks, chosen };
}

/** A person's projects, those with most of their open issues first; without any, the usual ones. */
async function guessed(
  account: string,
  principal: Principal,
  mine: Mine | null,
  parts: Pick<HomeParts, 'channels' | 'reporting'>,
): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const { project } of mine?.own.issues ?? []) counts.set(project, (counts.get(project) ?? 0) + 1);
  const inOrder = [...counts].toSorted(([a, many], [b, others]) => others - many || compareText(a, b));
  if (inOrder.length > 0) return inOrder.map(([project]) => project);
  return (await usualProjects({ channel: account }, account, principal, parts))?.projects ?? [];
}
