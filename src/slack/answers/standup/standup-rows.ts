import { millisecondsInDay } from 'date-fns/constants';
import type {
  AwayPerson,
  BlockedIssue,
  DueIssue,
  Standup,
} from '../../../api/answers/standup/standup-answer.ts';
import type { NamedPerson } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { NudgedVisit } from '../../../model/nudge.ts';
import { BLOCKED_MARK, causesText, countWords, timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { dayMsOf, dayWords, type Wording } from '../../../output/wording.ts';
import { dateText } from '../../../time/date-text.ts';
import { listText } from '../../blocks/message.ts';
import type { AnswerLine, AnswerNudge, AnswerPlace } from '../view/answer-sheet.ts';
import { wordedText } from '../view/marked-wording.ts';
import { reasonText } from '../view/reason-text.ts';

const NAME_LENGTH = 60;
const REASON_LENGTH = 80;
const MAX_WAITING = 3;
const MAX_CAUSES = 3;
const MAX_COVERING = 3;

const WEEK_MS = 7 * millisecondsInDay;

/** The weekday of an instant of the last days, else its date. */
export function dayText(at: Instant, { provenance: { asOf, timeZone } }: Standup): string {
  return asOf - at < WEEK_MS ? dateText(at, 'EEEE', timeZone) : dayWords(at, { timeZone, near: asOf });
}

/** A name without line breaks, which would make more lines. */
export function oneLine(name: string, length = NAME_LENGTH): string {
  return shorten(name.replace(/\s+/g, ' '), length);
}

/** The key of an issue, as a link where its address is known. */
export function keyText({ key, link }: Pick<BlockedIssue, 'key' | 'link'>, wording: Wording): string {
  return wording.key(shorten(key, NAME_LENGTH), link);
}

/** The rows of what is in the way, in turns some of each kind; a last one counts those that are left out. */
export function rowsOf(standup: Standup, place: AnswerPlace, limit: number): readonly AnswerLine[] {
  const { blocked, due, away } = standup;
  const kinds: readonly (readonly [rows: readonly AnswerLine[], total: number, called: string])[] = [
    [(blocked?.issues ?? []).map((issue) => blockedRow(issue, standup)), blocked?.count ?? 0, 'blocked'],
    [due.issues.map((issue) => dueRow(issue, standup)), due.count, 'due or beyond target'],
    [away.people.map((person) => awayRow(person, standup, place)), away.count, 'away'],
  ];
  const all = kinds.reduce((sum, [, total]) => sum + total, 0);
  const room = all > limit ? limit - 1 : limit;
  const taken = kinds.map(() => 0);
  for (let i = 0, left = Math.min(room, kinds.flatMap(([rows]) => rows).length); left > 0; i += 1) {
    const kind = i % kinds.length;
    if ((taken[kind] ?? 0) >= (kinds[kind]?.[0].length ?? 0)) continue;
    taken[kind] = (taken[kind] ?? 0) + 1;
    left -= 1;
  }
  const others = kinds.flatMap(([, total, called], i) => {
    const left = total - (taken[i] ?? 0);
    return left > 0 ? [`${countWords(left)} more ${called}`] : [];
  });
  const rest = wordedText(() => `… and ${listText(others)}`);
  return [
    ...kinds.flatMap(([rows], i) => rows.slice(0, taken[i])),
    ...(others.length === 0 ? [] : [{ text: rest, withoutAccount: rest, nudge: null }]),
  ];
}

/** `⛔ WEB-493 blocked for 3d by a flag · In Review · @Bob`, with the latest answer to a nudge. */
function blockedRow(issue: BlockedIssue, standup: Standup): AnswerLine {
  const { status, assignee, blockedMs, blocked, statusSince } = issue;
  const { since, provenance } = standup;
  const forHow = blockedMs === 0 ? '' : ` for ${timeText(blockedMs, dayMsOf(provenance.calendar))}`;
  const isNew = blocked.since !== null && blocked.since >= since ? ' (new)' : '';
  const { causes } = blocked;
  return assignedRow(issue, standup, (wording, person) => {
    const more = causes.length - MAX_CAUSES;
    const by = causesText(causes.slice(0, MAX_CAUSES), ({ name }) => wording.words(oneLine(name)));
    const byWhat = causes.length === 0 ? '' : ` by ${by}${more > 0 ? ` and ${countWords(more)} more` : ''}`;
    return [
      `${BLOCKED_MARK} ${keyText(issue, wording)} blocked${forHow}${byWhat}${isNew}`,
      wording.words(oneLine(status.name)),
      ...(assignee === null ? [] : [person]),
      ...(statusSince === null
        ? []
        : answerOf(issue.key, { statusId: status.id, since: statusSince }, standup, wording)),
    ].join(' · ');
  });
}

/** `⏳ WEB-505 reaches its target of 8d today · In Review · @Carl`; one that missed it says when. */
function dueRow(issue: DueIssue, standup: Standup): AnswerLine {
  const { key, status, assignee, target, since } = issue;
  const { asOf, timeZone, calendar } = standup.provenance;
  const within = target === null ? '' : ` of ${timeText(target.withinMs, dayMsOf(calendar))}`;
  const day = (at: Instant) => dateText(at, 'yyyy-MM-dd', timeZone);
  const dueAt = target?.dueAt ?? asOf;
  const when = day(dueAt) === day(asOf) ? 'today' : `on ${dayText(dueAt, standup)}`;
  const what = target?.isMissed ? `passed its target${within} ${when}` : `reaches its target${within} today`;
  return assignedRow(issue, standup, (wording, person) =>
    [
      `⏳ ${keyText(issue, wording)} ${what}`,
      wording.words(oneLine(status.name)),
      assignee === null ? 'unassigned' : person,
      ...answerOf(key, { statusId: status.id, since }, standup, wording),
    ].join(' · '),
  );
}

/** The latest answer to a nudge about an issue; none where it has moved on since. */
function answerOf(
  key: string,
  visit: NudgedVisit,
  { reasons, provenance: { asOf: near, timeZone } }: Standup,
  wording: Wording,
): readonly string[] {
  const words = (text: string) => wording.words(oneLine(text, REASON_LENGTH));
  const text = reasonText(reasons.get(key), visit, { timeZone, near, words });
  return text === null ? [] : [text];
}

/** A row about an issue, with a button that nudges its assignee, or who covers for them. */
function assignedRow(
  { key, assignee }: Pick<BlockedIssue, 'key' | 'assignee'>,
  { away }: Standup,
  text: (wording: Wording, person: string) => string,
): AnswerLine {
  const isAway = away.people.some(({ person }) => person.id === assignee?.id);
  const note = isAway ? ' (away)' : '';
  const name = oneLine(assignee?.name ?? '');
  return {
    text: wordedText((wording) =>
      text(wording, assignee === null ? '' : `${wording.person(assignee)}${note}`),
    ),
    withoutAccount: wordedText((wording) => text(wording, `${wording.words(name)} (not in Slack)`)),
    nudge: nudgeOf('Nudge', key, assignee),
  };
}

function nudgeOf(title: string, key: string, assignee: NamedPerson | null): AnswerNudge | null {
  if (assignee === null || assignee.id === null) return null;
  return { title, key, assignee: { id: assignee.id, name: assignee.name } };
}

/** `🌴 @Dora is away until Wed · @Bob covers WEB-512 and WEB-514`, or that no one covers and they wait. */
function awayRow(away: AwayPerson, standup: Standup, place: AnswerPlace): AnswerLine {
  const { person, covers, waiting, canBeSet } = away;
  const general = covers.find(({ category }) => category === null);
  const others = covers.filter(({ category }) => category !== null);
  const text = wordedText((wording) => {
    const shown = waiting.issues.slice(0, MAX_WAITING).map((issue) => keyText(issue, wording));
    const left = waiting.count - shown.length;
    const issues = left > 0 ? `${shown.join(', ')} and ${countWords(left)} more` : listText(shown);
    const coverText = (
      delegates: readonly NamedPerson[] | null | undefined,
      work: string,
      isOne: boolean,
    ): string => {
      if (delegates === undefined) return `no one covers, so ${work} ${isOne ? 'waits' : 'wait'}`;
      if (delegates === null) return `who covers is not yours to see · ${work}`;
      const names = delegates.slice(0, MAX_COVERING).map(wording.person);
      const more = delegates.length - names.length;
      const all = more > 0 ? `${names.join(', ')} and ${countWords(more)} more` : listText(names);
      return `${all} ${delegates.length === 1 ? 'covers' : 'cover'} ${work}`;
    };
    return [
      `🌴 ${wording.person(person)} is away${untilText(away, standup, wording)}`,
      coverText(general?.delegates, issues, waiting.count === 1),
      ...others
        .slice(0, MAX_COVERING)
        .map(({ category, delegates }) => coverText(delegates, wording.words(oneLine(category ?? '')), true)),
    ].join(' · ');
  });
  const [first] = waiting.issues;
  const [covering = null] = general?.delegates ?? [];
  const isSet = general === undefined && person.id !== null && (place !== 'private' || canBeSet);
  return {
    text,
    withoutAccount: text,
    nudge:
      covering === null || first === undefined
        ? null
        : nudgeOf(`Nudge about ${first.key}`, first.key, covering),
    ...(isSet && person.id !== null
      ? { action: { title: 'Set cover', line: setLine(person.id, away) } }
      : {}),
  };
}

/** The line that opens the form of a cover until a person is back. */
function setLine(id: string, { lastDay }: AwayPerson): string {
  const who = /\s/.test(id) ? `@"${id}"` : `@${id}`;
  return `/delegates set for ${who} ${lastDay === null ? 'today' : `until ${lastDay}`}`;
}

/** Until which day, that day included, or which time: ` today`, ` until Wed`, ` until Dec 24`. */
function untilText({ until, lastDay }: AwayPerson, { provenance }: Standup, wording: Wording): string {
  const { asOf, timeZone } = provenance;
  const today = dateText(asOf, 'yyyy-MM-dd', timeZone);
  if (lastDay === today) return ' today';
  const isToday = dateText(until, 'yyyy-MM-dd', timeZone) === today;
  if (lastDay === null) return ` until ${isToday ? wording.time(until) : wording.date(until)}`;
  const last = Date.parse(lastDay);
  return ` until ${last - asOf < WEEK_MS - millisecondsInDay ? dateText(last, 'EEE', 'UTC') : dayWords(last, { timeZone: 'UTC', near: asOf })}`;
}
