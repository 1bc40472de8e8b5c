import { isOut } from '../../api/delegations/delegation-api.ts';
import type {
  AwayToo,
  Category,
  Coverage,
  Delegation,
  DelegationInput,
  DelegationRight,
  TimeSpan,
  Uncovered,
  UncoveredReason,
} from '../../model/delegation.ts';
import type { Instant, User } from '../../model/issue.ts';
import { shorten } from '../../output/readable-text.ts';
import { isoDay } from '../../time/date-text.ts';
import { hourText, nearDayText } from '../../time/day-words.ts';
import { dayAt, firstInstantFrom, wallOf } from '../../time/wall-clock.ts';
import { isTimeZone } from '../../time/zones.ts';
import type { Person } from '../app/handler-types.ts';
import {
  categoriesText,
  type Names,
  notice,
  shortenedNames,
  type Words,
  wordsAnywhere,
} from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { capitalized, Refused, runButton } from '../app/show-failure.ts';
import { listText, type Message } from '../blocks/message.ts';
import { escapeMrkdwn, lineText, section } from '../blocks/mrkdwn.ts';
import type { Member } from '../people/accounts.ts';
import { identify } from '../people/identify.ts';

/** The words for people, categories and times of a cover, for one reader. */
export interface CoverWords extends Words {
  /** The user id of the reader, who is "you". */
  readonly reader: string;
  readonly now: Instant;
  /** Zones in which a cover of these people can be of whole days. */
  zonesOf(people: readonly string[]): readonly string[];
}

type Sides = Pick<Delegation, 'delegator' | 'delegates'>;

type Edge = 'from' | 'until';

/** The facts that the words for a reader are made of. `accounts`: Slack accounts by user id. */
export interface ReaderFacts {
  readonly reader: string;
  readonly users: ReadonlyMap<string, User>;
  readonly categories: readonly Category[];
  readonly accounts: ReadonlyMap<string, string>;
  /** The reader's zone, then others in which days may have been chosen. */
  readonly zones: readonly string[];
  readonly now: Instant;
}

/** Words for text that Slack draws: linked people are mentions, times are in the reader's own zone. */
export function coverWords({ reader, users, categories, accounts, zones, now }: ReaderFacts): CoverWords {
  const words = wordsAnywhere(shortenedNames(users, categories));
  return {
    ...words,
    reader,
    now,
    person: (id) => (accounts.has(id) ? `<@${accounts.get(id)}>` : words.person(id)),
    zonesOf: (people) => zonesAmong(people, users, zones),
  };
}

/** Zones in which a cover of these people can be of whole days: their own, then others. */
export function zonesAmong(
  people: readonly string[],
  users: ReadonlyMap<string, User>,
  others: readonly string[],
): readonly string[] {
  const theirs = people.map((id) => users.get(id)?.timeZone ?? '').filter(isTimeZone);
  return [...new Set([...theirs, ...others])];
}

/** Words for plain text, such as tables and dialogs: nothing is escaped, times are in the reader's zone. */
export function plainCoverWords(facts: ReaderFacts): CoverWords {
  const [zone = 'UTC'] = facts.zones;
  const time = (at: Instant) => `${nearDayText(dayAt(at, zone), facts.now)}, ${hourText(wallOf(at, zone))}`;
  return { ...coverWords(facts), ...shortenedNames(facts.users, facts.categories), time };
}

/** The facts of a member, asked of the parts once for a message. */
export async function readerFacts(
  { user, account, principal, timeZone }: Member,
  { delegations, people, now, timeZone: serverZone }: DelegationParts,
  more: ReadonlyMap<string, string> = new Map(),
): Promise<ReaderFacts> {
  const links = (await people.links()).toSorted((a, b) => a.at - b.at);
  const linked = links.map((link): [string, string] => [link.user, link.account]);
  return {
    reader: user.id,
    users: await people.users(),
    categories: await delegations.categories(principal),
    accounts: new Map([...linked, ...more, [user.id, account]]),
    zones: [timeZone, serverZone],
    now: now(),
  };
}

/** The first zone in which all of these instants begin a day; null where hours were chosen. */
function zoneOfDays(instants: readonly Instant[], people: readonly string[], words: CoverWords) {
  const isDay = (at: Instant, zone: string) => firstInstantFrom(dayAt(at, zone), zone) === at;
  return words.zonesOf(people).find((zone) => instants.every((at) => isDay(at, zone))) ?? null;
}

/** The first and the last day of a period, as wall days; null where it begins or ends within a day. */
export function daysOf({ from, until }: TimeSpan, people: readonly string[], words: CoverWords) {
  const zone = zoneOfDays([from, until], people, words);
  return zone === null ? null : ([dayAt(from, zone), dayAt(until - 1, zone)] as const);
}

/** A period of a person's cover: `Dec 19 – Jan 2`, the last day included; with hours where they were chosen. */
export function spanText(span: TimeSpan, people: readonly string[], words: CoverWords): string {
  const days = daysOf(span, people, words);
  if (days === null) return `${words.time(span.from)} – ${words.time(span.until)}`;
  const [first, last] = days;
  if (first === last) return nearDayText(first, words.now);
  const [begins, ends] = [nearDayText(first, words.now, false), nearDayText(last, words.now, false)];
  const isOneMonth = !begins.includes(',') && isoDay(first).slice(0, 7) === isoDay(last).slice(0, 7);
  return isOneMonth ? `${begins}–${ends.replace(/^\w+ /, '')}` : `${begins} – ${ends}`;
}

/** The first (`from`) or last (`until`) day of a period, as a wall day; null where it begins or ends within a day. */
export function edgeDay(at: Instant, edge: Edge, people: readonly string[], words: CoverWords) {
  const zone = zoneOfDays([at], people, words);
  return zone === null ? null : dayAt(edge === 'from' ? at : at - 1, zone);
}

/** One end of a period: `until Fri, Dec 31`, that day included. */
function edgeText(at: Instant, edge: Edge, people: readonly string[], words: CoverWords): string {
  const day = edgeDay(at, edge, people, words);
  return `${edge} ${day === null ? words.time(at) : nearDayText(day, words.now)}`;
}

/** The people whose days a cover can be of. */
export function peopleOf({ delegator, delegates }: Sides): readonly string[] {
  return [delegator, ...delegates];
}

/** Until when a cover is, and from when if it has not begun. */
export function periodText(one: Delegation, at: Instant, words: CoverWords): string {
  return one.start > at ? datesText(one, words) : edgeText(one.end, 'until', peopleOf(one), words);
}

/** All of a cover's time. */
export function datesText(one: DelegationInput, words: CoverWords): string {
  return spanText({ from: one.start, until: one.end }, peopleOf(one), words);
}

/** A person in bold, or "you" for the reader. */
export function boldText(id: string, words: CoverWords): string {
  return id === words.reader ? 'you' : `*${words.person(id)}*`;
}

/** A person, or "you" for the reader. */
export function personText(id: string, words: CoverWords): string {
  return id === words.reader ? 'you' : words.person(id);
}

/** A cover as a clause: `Bob covers for you`. The verb follows the subject. */
export function coverClause(
  { delegates, delegator }: Sides,
  words: CoverWords,
  verbs: readonly [one: string, several: string] = ['covers', 'cover'],
): string {
  const subject = capitalized(listText(delegates.map((id) => personText(id, words))));
  const verb = delegates.length > 1 || delegates[0] === words.reader ? verbs[1] : verbs[0];
  return `${subject} ${verb} for ${personText(delegator, words)}`;
}

/** A whole cover: `*Bob covers for Ada* for Expense until Fri, Dec 31`, then what is `beside`, and the notes. */
export function coverText(one: Delegation, words: CoverWords, beside = ''): string {
  const period = periodText(one, words.now, words);
  return `*${coverClause(one, words)}*${workText(one.categoryIds, words)} ${period}${beside}${notesText(one.notes)}`;
}

/** ` for Expense`; nothing where it is for everything. */
export function workText(categoryIds: readonly number[], words: Names): string {
  return categoryIds.length === 0 ? '' : ` for ${categoriesText(categoryIds, words)}`;
}

/** A cover as a thing: `Bob's cover for Ada (Expense, Dec 19 – Jan 2)`, or `cover for Ada by Carl and you (…)`. */
export function coverNoun(one: DelegationInput, words: CoverWords): string {
  const { delegates, delegator, categoryIds } = one;
  const names = listText(delegates.map((id) => personText(id, words)));
  const isMine = delegates.includes(words.reader);
  const cover = `cover for ${personText(delegator, words)}`;
  const by =
    isMine && delegates.length > 1 ? `${cover} by ${names}` : `${isMine ? 'your' : `${names}'s`} ${cover}`;
  const what = categoryIds.length === 0 ? '' : `${categoriesText(categoryIds, words)}, `;
  return `${by} (${what}${datesText(one, words)})`;
}

/** The people of a cover who are notified: both, or everyone where several cover. */
export function everyoneText({ delegates }: Pick<Sides, 'delegates'>): string {
  return delegates.length > 1 ? 'Everyone' : 'Both';
}

/** The most absences that are looked at; two that read differently are shown. */
const OUTS = 8;

/**
 * When the delegates of a cover are out, and who steps in: ` (Bob is out Dec 24–26: Carl steps in)`; for which categories,
 * where the cover is for others as well.
 */
export function outText(
  one: Delegation,
  { awayToo, span }: Pick<Coverage, 'awayToo' | 'span'>,
  words: CoverWords,
): string {
  const outs = awayToo.filter((away) => isOut(one, away)).slice(0, OUTS);
  const alike = Map.groupBy(outs, ({ categoryId: _, ...away }) => JSON.stringify(away)).values();
  const lines = [...new Set([...alike].flatMap((group) => outClauses(group, one.categoryIds, words, span)))];
  if (lines.length === 0) return '';
  return ` (${lines.slice(0, 2).join('; ')}${lines.length > 2 ? '; and more' : ''})`;
}

/** One who is out in some categories alike; `covered` are those of the cover. */
function outClauses(
  alike: readonly AwayToo[],
  covered: readonly number[],
  words: CoverWords,
  span: TimeSpan,
): readonly string[] {
  const ids = alike.map(({ categoryId }) => categoryId);
  const isAll = ids.includes(null) || (covered.length > 0 && covered.every((id) => ids.includes(id)));
  const work = isAll
    ? ''
    : workText(
        ids.flatMap((id) => id ?? []),
        words,
      );
  return alike.slice(0, 1).map(({ delegate, person, standIns, ...at }) => {
    const out = delegate === words.reader ? 'you are out' : `${words.person(delegate)} is out`;
    return `${out}${work}${stretchText(at, [person, delegate], words, span)}${stepsInText(standIns, words)}`;
  });
}

function stepsInText(remaining: readonly string[] | null, words: CoverWords): string {
  if (remaining === null) return '';
  if (remaining.length === 0) return ': no one steps in';
  const names = listText(remaining.map((id) => personText(id, words)));
  return `: ${names} ${remaining.length > 1 || remaining[0] === words.reader ? 'step' : 'steps'} in`;
}

/** That a delegate is out too, and who steps in; `span` is what was looked at, `whole` what all of it is called. */
export function awayTooText(away: AwayToo, words: CoverWords, span: TimeSpan, whole = ''): string {
  const { delegate, person, standIns, categoryId } = away;
  const work = workText(categoryId === null ? [] : [categoryId], words);
  const when = stretchText(away, [person, delegate], words, span, whole);
  return `*${words.person(delegate)}*, who covers for ${boldText(person, words)}, is out${work}${when}${stepsInText(standIns, words)}.`;
}

/** Why no one covers. */
export const reasons: Readonly<Record<UncoveredReason, string>> = {
  loop: 'the people who cover are out too',
  gap: 'one cover ends before the next begins',
  unknown: 'the people who cover are not in Jira',
};

/** That no one covers, and why; likewise. */
export function uncoveredText(stretch: Uncovered, words: CoverWords, span: TimeSpan, whole = ''): string {
  const { person, categoryId, reason } = stretch;
  const what = categoryId === null ? '' : ` (${words.category(categoryId)})`;
  const when = stretchText(stretch, [person], words, span, whole);
  return `No one covers for ${boldText(person, words)}${what}${when}: ${reasons[reason]}.`;
}

/** When a stretch is, after a blank; one that reaches an end of what was looked at may go on beyond. */
function stretchText(
  { from, until }: TimeSpan,
  people: readonly string[],
  words: CoverWords,
  span: TimeSpan,
  whole = '',
): string {
  if (from > span.from && until < span.until) return ` ${spanText({ from, until }, people, words)}`;
  if (from > span.from) return ` ${edgeText(from, 'from', people, words)}`;
  if (until < span.until) return ` ${edgeText(until, 'until', people, words)}`;
  return whole === '' ? '' : ` ${whole}`;
}

const NOTES_LENGTH = 200;
/** Text that Slack would take for a mark; there is no way to escape one. */
const MARKS = /([*_~`]).+\1/;

/** Notes in one line as they were written, after a dot; empty where there are none. */
export function notesText(notes: string): string {
  const plain = notes.replace(/\s+/g, ' ').trim();
  if (plain === '') return '';
  return ` · ${MARKS.test(plain) ? lineText(plain) : `“${escapeMrkdwn(shorten(plain, NOTES_LENGTH))}”`}`;
}

/** An escaped text on what was not understood, as a message with a button that runs the nearest line that works. */
export function suggest(text: string, line: string, title = 'Run'): Message {
  const shown = title === 'Run' ? `${text} Did you mean ${lineText(line)}?` : text;
  return { text: shown, blocks: [section(shown, runButton(line, title))] };
}

/** True if a right includes the cover of others. */
export function seesAll(right: DelegationRight): boolean {
  return right === 'all' || right === 'edit';
}

/**
 * A sentence on how a right is changed: by an admin, or on the command line, where the plus keeps the rights of others.
 */
export function askAdmin({ typedAs, hasAdmins, principal }: Member, option: `--${string}`): string {
  if (hasAdmins && principal.rights !== 'admin') return 'Ask an admin to change that.';
  return `Change it on the command line: \`npx dwell delegates ${option} +${escapeMrkdwn(typedAs)}\`.`;
}

/** A member, and how much of the cover of others they can see and change. */
export interface Admitted {
  readonly member: Member;
  readonly right: DelegationRight;
}

/** The member; `Refused` where the account is not linked, or has no right to see cover. */
export async function admit(person: Person, parts: DelegationParts): Promise<Admitted> {
  const member = await identify(person, parts);
  const right = await parts.delegations.rightOf(member.principal);
  if (right !== 'none') return { member, right };
  throw new Refused(
    notice("You don't have permission to see out-of-office cover.", askAdmin(member, '--view')),
  );
}
