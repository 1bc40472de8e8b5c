import { millisecondsInDay } from 'date-fns/constants';
import { badRequest, badRequestAs } from '../../../model/error.ts';
import type { MovingRange, When } from '../../../model/question.ts';
import { type DateRangeField, dateRangeFields } from '../../../model/request.ts';
import { readLastDay, readPastDay } from '../../../time/day-words.ts';
import { countOf, type DaySpan, readPastSpan } from '../../../time/past-spans.ts';
import { dayAt, firstInstantFrom } from '../../../time/wall-clock.ts';
import type { ParserContext } from './parser-context.ts';
import { oneOf } from './typed-words.ts';

/** The ranges that `readRange` takes. */
export const allowedRanges =
  'last 30 days, last 2 weeks, last 3 months (of 30 days each), this week, last month, this quarter, last year, since DAY, between DAY and DAY, a month, quarter, week or day by its name (october, Q3, 2026-W46, yesterday), last sprint, also after created, resolved or updated';

/** The date that a time without a field is about. */
export const USUAL_FIELD = 'finished';

const DAYS_OF = { day: 1, week: 7, month: 30, quarter: 91, year: 365 } as const;
const MAX_DAYS = 36_500;

/** The earliest date that JQL, which compares the dates, can write; no tracker is older. */
const EARLIEST = Date.UTC(1900, 0, 2);

/** A range of time in words, counted from now in the zone of here; null for any other text. */
export function readRange(
  words: readonly string[],
  { now, hours: { timeZone }, isLoose = false }: Pick<ParserContext, 'now' | 'hours' | 'isLoose'>,
): MovingRange | null {
  const [first = ''] = words;
  const field =
    oneOf(dateRangeFields, first) ?? (isLoose ? (verbs.get(first.toLowerCase()) ?? undefined) : undefined);
  const left = field === undefined ? words : words.slice(1);
  const when = readWhen(left.join(' ').toLowerCase(), dayAt(now, timeZone), { timeZone, isLoose });
  return when === null ? null : { field: field ?? USUAL_FIELD, when };
}

/** Other words for what happened at a time. */
const verbs: ReadonlyMap<string, DateRangeField> = new Map([
  ['finished', USUAL_FIELD],
  ['closed', USUAL_FIELD],
  ['done', USUAL_FIELD],
  ['completed', USUAL_FIELD],
  ['opened', 'created'],
]);

/** The zone of days, and whether a bare name (`october`) is a time: in the grammar it may be the end of another name. */
interface Reading {
  readonly timeZone: string;
  readonly isLoose: boolean;
}

function readWhen(text: string, today: number, reading: Reading): When | null {
  const { timeZone, isLoose } = reading;
  const plain = isLoose
    ? text
        .replace(/^(?:in|during|for|over|within) (?=the |this |last |past |previous )/, '')
        .replace(/^the /, '')
        .replace(/\bfortnight$/, '2 weeks')
    : text;
  const [, which, period] = /^(this|last) (week|month|quarter|year)$/.exec(plain) ?? [];
  const named = oneOf(['week', 'month', 'quarter', 'year'], period);
  if (named !== undefined) return { by: 'period', period: named, back: which === 'this' ? 0 : 1 };
  const [, count = '', unit] =
    (isLoose
      ? /^(?:(?:last|past|previous) )(\d{1,9}|[a-z]{1,6}) (day|week|month|quarter|year)s?$/
      : /^(?:last|past) (\d{1,9}) (day|week|month)s?$/
    ).exec(plain) ?? [];
  const length = oneOf(['day', 'week', 'month', 'quarter', 'year'], unit);
  const number = countOf(count);
  if (length !== undefined && !Number.isNaN(number)) return daysBack(number * DAYS_OF[length], text);
  const [, since] = /^since (.+)$/.exec(plain) ?? [];
  const [, from, to] = /^between (.+?) and (.+)$/.exec(plain) ?? [];
  // Errors name a day of a span that only looks like one.
  const isSpan = since !== undefined || (from !== undefined && to !== undefined);
  const strict = (): When | null => {
    if (since !== undefined) return betweenDays(since, null, today, timeZone);
    return from === undefined || to === undefined ? null : betweenDays(from, to, today, timeZone);
  };
  if (isSpan && (since !== undefined ? readPastDay(since, today) : readPastDay(from ?? '', today)) !== null) {
    if (to === undefined || readPastDay(to, today) !== null) return strict();
  }
  const span = isSpan || isLoose ? readPastSpan(plain, today) : null;
  if (span === null && from !== undefined && to !== undefined) {
    const areTimes = [from, to].every((one) => readPastSpan(one, today) !== null);
    if (areTimes) throw comesBefore(to, from);
  }
  if (span === null) return strict();
  return whenOf(span, text, today, timeZone);
}

/** Whole days as a time; one with a first day ends open where it ends today or later, another with today. */
function whenOf({ first, last }: DaySpan, text: string, today: number, timeZone: string): When {
  if ((first ?? today) > today || (first ?? last ?? today) < EARLIEST)
    throw badRequest(`"${text}" is out of reach. Try: days from 1900 until today.`);
  return {
    by: 'dates',
    from: first === null ? null : firstInstantFrom(first, timeZone),
    to:
      last === null || (last >= today && first !== null)
        ? null
        : firstInstantFrom(Math.min(last, today) + millisecondsInDay, timeZone),
  };
}

function daysBack(days: number, text: string): When {
  if (days < 1 || days > MAX_DAYS) {
    throw badRequest(`I can't look back "${text}". Try: 1 to ${MAX_DAYS} days.`);
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
  if (to !== null && last !== null && last < first) throw comesBefore(to, from);
  return {
    by: 'dates',
    from: firstInstantFrom(first, timeZone),
    // A day that comes is as good as no end: nothing happened after now.
    to: last === null || last > today ? null : firstInstantFrom(last + millisecondsInDay, timeZone),
  };
}

function comesBefore(to: string, from: string): Error {
  return badRequestAs('conflicting-values', `"${to}" comes before "${from}". Try: the earlier day first.`, {
    kind: 'order of days',
  });
}

function noDay(word: string): Error {
  return badRequest(`I don't know the date "${word}". Try: Nov 1, 2026-11-01, monday.`);
}

/** The days that `readPastDay` takes. */
export const allowedPastDays =
  'today, yesterday, monday (the last one), 3 days ago, Nov 1, 24 Dec, 1.11., 2026-11-01';
