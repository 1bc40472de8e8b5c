import { millisecondsInDay } from 'date-fns/constants';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { MovingRange, When } from '../../model/question.ts';
import { dateRangeFields } from '../../model/request.ts';
import { readLastDay, readPastDay } from '../../time/day-words.ts';
import { dayAt, firstInstantFrom } from '../../time/wall-clock.ts';
import type { ParserContext } from './parser-context.ts';
import { oneOf } from './typed-words.ts';

/** What `readRange` takes. */
export const allowedRanges =
  'last 30 days, last 2 weeks, last 3 months (of 30 days each), this week, last month, this quarter, last year, since DAY, between DAY and DAY, also after created, resolved or updated';

/** The date that a time without a field is about. */
export const USUAL_FIELD = 'finished';

const DAYS_OF = { day: 1, week: 7, month: 30 } as const;
const MOST_DAYS = 36_500;

/** What JQL, which compares the dates, can write; no tracker is older. */
const EARLIEST = Date.UTC(1900, 0, 2);

/** A range of time in words, counted from now on the clocks of here; null for any other text. */
export function readRange(
  words: readonly string[],
  { now, hours: { timeZone } }: Pick<ParserContext, 'now' | 'hours'>,
): MovingRange | null {
  const field = oneOf(dateRangeFields, words[0]);
  const rest = field === undefined ? words : words.slice(1);
  const when = readWhen(rest.join(' ').toLowerCase(), dayAt(now, timeZone), timeZone);
  return when === null ? null : { field: field ?? USUAL_FIELD, when };
}

function readWhen(text: string, today: number, timeZone: string): When | null {
  const [, which, period] = /^(this|last) (week|month|quarter|year)$/.exec(text) ?? [];
  const named = oneOf(['week', 'month', 'quarter', 'year'], period);
  if (named !== undefined) return { by: 'period', period: named, back: which === 'this' ? 0 : 1 };
  const [, count, unit] = /^(?:last|past) (\d{1,9}) (day|week|month)s?$/.exec(text) ?? [];
  const length = oneOf(['day', 'week', 'month'], unit);
  if (length !== undefined) return daysBack(Number(count) * DAYS_OF[length], text);
  const [, since] = /^since (.+)$/.exec(text) ?? [];
  if (since !== undefined) return betweenDays(since, null, today, timeZone);
  const [, from, to] = /^between (.+?) and (.+)$/.exec(text) ?? [];
  return from === undefined || to === undefined ? null : betweenDays(from, to, today, timeZone);
}

function daysBack(days: number, text: string): When {
  if (days < 1 || days > MOST_DAYS) {
    throw badRequest(`I can't look back "${text}". Try: 1 to ${MOST_DAYS} days.`);
  }
  return { by: 'days', days };
}

/** From the beginning of one day to the end of another; without another it is open. Null: no word is a day. */
function betweenDays(from: string, to: string | null, today: number, timeZone: string): When | null {
  const first = readPastDay(from, today);
  const last = to === null ? null : readLastDay(to, first ?? today, today);
  if (first === null && last === null) return null;
  if (first === null) throw noDay(from);
  if (to !== null && last === null) throw noDay(to);
  if (first > today || first < EARLIEST) {
    throw badRequest(`The day "${from}" is out of reach. Try: days from 1900 until today.`);
  }
  if (last !== null && last < first)
    throw badRequestAs('conflicting-values', `"${to}" comes before "${from}". Try: the earlier day first.`);
  return {
    by: 'dates',
    from: firstInstantFrom(first, timeZone),
    // A day that comes is as good as no end: nothing happened after now.
    to: last === null || last > today ? null : firstInstantFrom(last + millisecondsInDay, timeZone),
  };
}

function noDay(word: string): Error {
  return badRequest(`I can't read "${word}" as a day. Try: ${allowedPastDays}.`);
}

/** What `readPastDay` takes. */
export const allowedPastDays = 'today, yesterday, monday (the last one), 3 days ago, 24 Dec, 2026-11-01';
