import { millisecondsInDay } from 'date-fns/constants';
import type { Aging, AgingIssue } from '../../../api/answers/aging/aging-answer.ts';
import type { NamedPerson } from '../../../model/answer.ts';
import type { Provenance } from '../../../model/table.ts';
import {
  BLOCKED_MARK,
  blockedText,
  countOf,
  countWords,
  NEVER,
  paceMark,
  timesUsual,
  timeText,
} from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { dayMsOf, dayWords } from '../../../output/wording.ts';
import { dayLengthMs } from '../../../time/calendar.ts';
import { dateText } from '../../../time/date-text.ts';
import type { AnswerNudge, AnswerTable } from './answer-sheet.ts';
import { columnsOf, figureTable } from './figures-drawn.ts';
import { reasonText } from './reason-text.ts';

const SUMMARY_LENGTH = 30;
const NAME_LENGTH = 30;
/** The room for a reason in its row, in characters; the issue has all of it. */
const REASON_LENGTH = 40;

/** An issue of the table, and its person; null: no one. */
type AgingRow = AgingIssue & { readonly person: string | null };

/**
 * Issues and how long they have been in their status; null without any. `title` is that of the column of `person`. Reasons
 * have a column where any issue has one, and so has the day on which a target was or soon will be missed.
 */
export function agingTable(
  issues: readonly AgingRow[],
  { title, provenance }: { readonly title: string | null; readonly provenance: Provenance },
): AnswerTable | null {
  const dayMs = dayMsOf(provenance.calendar);
  const reasons = issues.map((issue) => waitingText(issue, provenance));
  const hasReasons = reasons.some((one) => one !== null);
  const targets = issues.map((issue) => targetState(issue, provenance));
  const hasTargets = targets.some((one) => one !== null);
  return figureTable(
    [
      ...columnsOf('name', 'Issue'),
      ...columnsOf('figure', '× usual', 'For'),
      ...columnsOf('name', 'Status', ...(hasTargets ? ['Target'] : []), ...(title === null ? [] : [title])),
      ...(hasReasons ? columnsOf('text', 'Reason') : []),
      ...columnsOf('name', 'Summary'),
    ],
    issues.map((issue, i) => [
      { text: issue.key, link: issue.link },
      { text: paceText(issue) },
      { text: timeText(issue.ageMs, dayMs) },
      { text: `${issue.blocked ? `${BLOCKED_MARK} ` : ''}${shorten(issue.status.name, NAME_LENGTH)}` },
      ...(hasTargets ? [{ text: shortState(targets[i] ?? null) }] : []),
      ...(title === null ? [] : [{ text: shorten(issue.person ?? NEVER, NAME_LENGTH) }]),
      ...(hasReasons ? [{ text: reasons[i] ?? NEVER }] : []),
      { text: shorten(issue.summary, SUMMARY_LENGTH) },
    ]),
  );
}

/** The causes that block an issue, and the latest answer to a nudge about it; null where there is neither. */
function waitingText(
  { blocked, reason, status, since }: AgingIssue,
  { timeZone, asOf }: Pick<Provenance, 'timeZone' | 'asOf'>,
): string | null {
  const words = (text: string) => shorten(text, REASON_LENGTH);
  const answer = reasonText(reason, { statusId: status.id, since }, { timeZone, near: asOf, words });
  const parts = [
    ...(blocked ? [blockedText(blocked, ({ name }) => words(name))] : []),
    ...(answer === null ? [] : [answer]),
  ];
  return parts.length === 0 ? null : parts.join(' · ');
}

/** The day on which a target was missed, or will be: `today`, `Fri` or `Nov 3`; null where it is unknown. */
interface TargetState {
  readonly isMissed: boolean;
  readonly day: string | null;
}

/** An issue that reaches its target within so many working days does so soon. */
const SOON_DAYS = 2;
/** A day further off is not named by its weekday. */
const WEEKDAYS_MS = 6 * millisecondsInDay;

/** Null without a target, and where it is not missed soon. */
function targetState(
  { target, workMs }: AgingIssue,
  { calendar, timeZone, asOf }: Pick<Provenance, 'calendar' | 'timeZone' | 'asOf'>,
): TargetState | null {
  if (target === null || workMs === null) return null;
  const { dueAt, isMissed, withinMs } = target;
  if (!isMissed && withinMs - workMs > SOON_DAYS * dayLengthMs(calendar, 'businessDays')) return null;
  if (dueAt === null) return isMissed ? { isMissed, day: null } : null;
  const isToday = dateText(dueAt, 'yyyy-MM-dd', timeZone) === dateText(asOf, 'yyyy-MM-dd', timeZone);
  if (isToday) return { isMissed, day: 'today' };
  const isNear = !isMissed && dueAt - asOf < WEEKDAYS_MS;
  const day = isNear ? dateText(dueAt, 'EEE', timeZone) : dayWords(dueAt, { timeZone, near: asOf });
  return { isMissed, day };
}

/** `missed Nov 3`, `due Fri`, as a cell below the word *Target*. */
function shortState(state: TargetState | null): string {
  if (state === null) return NEVER;
  return [state.isMissed ? 'missed' : 'due', ...(state.day === null ? [] : [state.day])].join(' ');
}

/** `target missed since Nov 3`, `misses its target on Fri`; null without a target, and where it is not missed soon. */
export function targetText(issue: AgingIssue, provenance: Provenance): string | null {
  const state = targetState(issue, provenance);
  if (state === null) return null;
  const { isMissed, day } = state;
  if (day === null || day === 'today')
    return isMissed ? `target ${shortState(state)}` : 'misses its target today';
  return isMissed ? `target missed since ${day}` : `misses its target on ${day}`;
}

/** `3 issues have missed their target of 8d, 2 will today`; null where none has and none will. */
export function targetsText({ target, provenance }: Aging): string | null {
  if (target === null || target.missed + target.dueToday === 0) return null;
  const { missed, dueToday, source, percent, withinMs } = target;
  const time = timeText(withinMs, dayMsOf(provenance.calendar));
  const learned = source === 'learned' ? ` (${percent}% of the last 90 days)` : '';
  const isOne = (missed === 0 ? dueToday : missed) === 1;
  const whose = isOne ? 'its target' : source === 'mixed' ? 'their targets' : 'their target';
  const which = `${whose}${source === 'mixed' ? '' : ` of ${time}${learned}`}`;
  if (missed === 0) return `${countOf(dueToday, 'issue')} will miss ${which} today`;
  const soon = dueToday === 0 ? '' : `, ${countWords(dueToday)} will today`;
  return `${countOf(missed, 'issue')} ${isOne ? 'has' : 'have'} missed ${which}${soon}`;
}

/** `🟠 23×`; where usual is no time at all, any time is endlessly more. */
function paceText({ pace, ageMs, usual: baseline }: AgingIssue): string {
  if (baseline === null) return NEVER;
  const times = pace ?? (ageMs > 0 ? Number.POSITIVE_INFINITY : 0);
  return `${paceMark(times)} ${timesUsual(times)}`.trim();
}

/** The reminder of an issue, with the text of its button; null where there is no one to remind. */
export function nudgeOf(title: string, key: string, assignee: NamedPerson | null): AnswerNudge | null {
  if (assignee === null || assignee.id === null) return null;
  return { title, key, assignee: { id: assignee.id, name: assignee.name } };
}
