import { millisecondsInDay } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type Principal, principalIn } from '../../model/request.ts';
import { normalHours } from '../../time/calendar.ts';
import { dayAt, firstInstantFrom } from '../../time/wall-clock.ts';
import { marked } from '../answers/view/marked-wording.ts';
import { knownSync } from '../answers/view/sync-lines.ts';
import { hoursHere } from '../app/hours-here.ts';
import { namesOf, notice } from '../app/message-texts.ts';
import type { HomeParts } from '../app/parts.ts';
import { Refused } from '../app/show-failure.ts';
import { tryAgain } from '../app/slack-refusal.ts';
import { calendarIdOf } from '../ask/grammar/read-calendar.ts';
import { exampleKey } from '../ask/parser-context-of.ts';
import type { Message } from '../blocks/message.ts';
import { escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { zonesAmong } from '../delegates/cover-words.ts';
import { loginOf, type Member, resolvePrincipal } from '../people/accounts.ts';
import { identify } from '../people/identify.ts';
import {
  type Assigned,
  type Cover,
  emptyHome,
  type Facts,
  type HomeContent,
  partFailure,
  type Section,
  type Who,
} from './home-content.ts';
import { findWeeks } from './week-section.ts';

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
    async rest() {
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
  const rest = { ...own, issues, total: own.total - hidden.length, beyondUsual: beyond, notStarted };
  return { mine: { ...mine, own: rest }, snoozed: hidden.length };
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
  const names = namesOf(users, await delegations.categories(principal));
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
