import { millisecondsInDay } from 'date-fns/constants';
import type { TimePeriod } from '../model/request.ts';
import { months, wallTimeOf, weekdays } from './date-text.ts';
import { canEndAhead, indexOfName, mondayOf, plainDay, readPastDay, readWeekName } from './day-words.ts';
import { addPeriods, startOfPeriod } from './periods.ts';
import { yearOf } from './wall-clock.ts';

/** Whole wall days, both included; null is open. */
export interface DaySpan {
  readonly first: number | null;
  readonly last: number | null;
}

/** One period or day, both ends included. */
interface Days {
  readonly first: number;
  readonly last: number;
}

/** Texts with a time that one end of the span is at, and the span that the time's days give. */
const openSpans: readonly (readonly [RegExp, (days: Days) => DaySpan])[] = [
  [
    /^(?:since|from|starting|after(?= (?:the )?(?:start|beginning) )) (?:the )?(?:(?:start|beginning) of )?(.+)$/,
    ({ first }) => ({ first, last: null }),
  ],
  [/^after (?:the )?(?:end of )?(.+)$/, ({ last }) => ({ first: last + millisecondsInDay, last: null })],
  [/^before (.+)$/, ({ first }) => ({ first: null, last: first - millisecondsInDay })],
  [/^(?:until|till|up to|through) (.+)$/, ({ last }) => ({ first: null, last })],
];

/** The first months of the seasons in the northern half, counted from 0. */
const seasons: ReadonlyMap<string, number> = new Map([
  ['spring', 2],
  ['summer', 5],
  ['autumn', 8],
  ['fall', 8],
  ['winter', 11],
]);

const periodNames: ReadonlyMap<string, TimePeriod> = new Map([
  ['week', 'Week'],
  ['month', 'Month'],
  ['quarter', 'Quarter'],
  ['year', 'Year'],
]);

/** The periods that run until today, by their other names. */
const runningPeriods: ReadonlyMap<string, string> = new Map([
  ...periodNames.keys().map((name) => [`${name} to date`, name] as const),
  ...periodNames.keys().map((name) => [`${name.charAt(0)}td`, name] as const),
]);

/**
 * A time of the past as people write it, counted from the wall day `today`: `october`, `Q3`, `2026-W46`, `Nov 1`, `the
 * summer`, `1.10. - 15.11.`, `nov 2-13`, `since september`, `before Q3`. A name without a year is the last one that has
 * begun. Null for other text.
 */
export function readPastSpan(typed: string, today: number): DaySpan | null {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(?:in|during|for|over|within|on|of) (?=\D|\d{4}\b)/, '')
    .replace(/^the /, '')
    .replace(/^([a-z]{3,9}) (\d{1,2}) ?[-–] ?(\d{1,2})$/, '$1 $2 - $1 $3')
    .replace(/^(\d{1,2}) ?[-–] ?(\d{1,2}) ([a-z]{3,9})$/, '$1 $3 - $2 $3');
  const [, from, to] =
    /^(?:between|from) (.+?) (?:and|to|until|till|through|-|–) (.+)$/.exec(text) ??
    /^(.+?) ?(?:\bto\b|\buntil\b|\btill\b|\bthrough\b| - | ?– ?|\.\.) ?(.+)$/.exec(text) ??
    [];
  if (from !== undefined && to !== undefined) {
    const first = daysOf(from, today);
    const last = first === null ? null : (daysFrom(to, first.first, today) ?? null);
    if (first !== null && last !== null && last.last >= first.first)
      return { first: first.first, last: last.last };
  }
  for (const [pattern, spanOf] of openSpans) {
    const [, time] = pattern.exec(text) ?? [];
    if (time === undefined) continue;
    const days = daysOf(time, today);
    return days === null ? null : spanOf(days);
  }
  return daysOf(text, today);
}

/** The days of the time that ends a span: without a year it is the first one at or after the span's beginning. */
function daysFrom(text: string, first: number, today: number): Days | null {
  const read = daysOf(text, today);
  // A time counted from today is the same whatever it follows.
  const isRelative = /\b(?:this|last|past|previous|current|ago|today|yesterday|now|date)\b/.test(text);
  if (read === null || read.last >= first || isRelative) return read;
  const again = daysOf(text, first + 366 * millisecondsInDay);
  const isLater =
    again !== null && again.first >= first && (again.first <= today || canEndAhead(first, again.first));
  return isLater ? again : read;
}

function daysOf(typed: string, today: number): Days | null {
  const text = typed.trim().replace(/^the /, '');
  return dayOf(text, today) ?? periodOf(text, today) ?? relativeOf(text, today);
}

function dayOf(text: string, today: number): Days | null {
  if (/^(?:now|today|so far)$/.test(text)) return { first: today, last: today };
  if (text === 'the day before yesterday' || text === 'day before yesterday')
    return { first: today - 2 * millisecondsInDay, last: today - 2 * millisecondsInDay };
  const [, weeks] = /^(\d{1,3}|an?|one|two|three) weeks? ago$/.exec(text) ?? [];
  const day = weeks === undefined ? readPastDay(text, today) : today - 7 * countOf(weeks) * millisecondsInDay;
  return day === null ? null : { first: day, last: day };
}

const numbers = [
  '',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** A small number in digits or in words; `a` is one. */
export function countOf(word: string): number {
  if (/^(?:an?|the)$/.test(word)) return 1;
  const named = numbers.indexOf(word);
  return named > 0 ? named : Number(word);
}

/** A named month, quarter, half, year, ISO week or season; without a year the last one that has begun. */
function periodOf(text: string, today: number): Days | null {
  const [, which, name = '', ofName] =
    /^(?:(this|last) )?([a-z]+)\.?(?:,? (?:of )?(\d{4}))?$/.exec(text) ?? [];
  const month = isMonthName(name) ? indexOfName(months, name) : -1;
  const [start, count] = month >= 0 ? [month, 1] : [seasons.get(name), 3];
  if (start !== undefined && which === 'this') {
    // A winter runs on into the next year.
    const running = spanned(yearOf(today) - 1, start, count);
    return running !== null && running.last >= today ? running : spanned(yearOf(today), start, count);
  }
  if (start !== undefined)
    return ofYear(ofName, today, (year) => {
      const days = spanned(year, start, count);
      // The last one is over.
      return which === 'last' && days !== null && days.last >= today ? null : days;
    });
  const [, ofThisYear] = /^this (q[1-4]|h[12])$/.exec(text) ?? [];
  if (ofThisYear !== undefined) return periodOf(`${ofThisYear} ${yearOf(today)}`, today);
  const [, monthYear, number] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  if (monthYear !== undefined && Number(number) >= 1 && Number(number) <= 12)
    return spanned(Number(monthYear), Number(number) - 1, 1);
  const [, quarter, ofQuarter = undefined] =
    /^q([1-4])(?:[ /-]?(?:of )?(\d{4}))?$/.exec(text) ?? swapped(/^(\d{4})[ /-]?q([1-4])$/.exec(text));
  if (quarter !== undefined)
    return ofYear(ofQuarter, today, (year) => spanned(year, 3 * (Number(quarter) - 1), 3));
  const [, part, halved = ''] = /^(first|second) half of ([a-z].*)$/.exec(text) ?? [];
  const days = part === undefined ? null : periodOf(halved, today);
  const length = days === null ? 0 : (days.last - days.first) / millisecondsInDay + 1;
  if (days !== null && length >= 28 && length <= 31) {
    const middle = days.first + 15 * millisecondsInDay;
    return part === 'first' ? { ...days, last: middle - millisecondsInDay } : { ...days, first: middle };
  }
  const [, half, ofHalf] =
    /^h([12])(?:[ /-]?(\d{4}))?$/.exec(
      text.replace(/^(first|second) half(?: of)?/, (_, one) => (one === 'first' ? 'h1' : 'h2')),
    ) ?? [];
  if (half !== undefined) return ofYear(ofHalf, today, (year) => spanned(year, 6 * (Number(half) - 1), 6));
  const named = readWeekName(text);
  if (named !== null) return weekFrom(mondayOf(named, today, 'past'));
  const [, inWeek = ''] = /^week (?:of|beginning|starting|from) (.+)$/.exec(text) ?? [];
  const dayInWeek = inWeek === '' ? null : dayOf(inWeek, today);
  if (dayInWeek !== null) return weekFrom(startOfPeriod(dayInWeek.first, 'Week'));
  const [, year] = /^((?:19|20)\d{2})$/.exec(text) ?? [];
  return year === undefined ? null : spanned(Number(year), 0, 12);
}

/** Written out, or cut after three letters, or as `sept`. */
function isMonthName(name: string): boolean {
  return name === 'sept' || name.length === 3 || months.some((one) => one.toLowerCase() === name);
}

function swapped(found: RegExpExecArray | null): readonly (string | undefined)[] {
  return found === null ? [] : [found[0], found[2], found[1]];
}

/** `last month`, `previous quarter`, `the month before last`, `year to date`. */
function relativeOf(text: string, today: number): Days | null {
  const [, running = '', past = '', beforeLast = ''] =
    /^(?:(?:(?:this|current) )?(\w+)|(?:last|past|previous|prior) (\w+)|(\w+) before last)$/.exec(
      runningPeriods.get(text) ?? text,
    ) ?? [];
  for (const [count, name] of [running, past, beforeLast].entries()) {
    const period = periodNames.get(name);
    if (period !== undefined) return back(today, period, count);
  }
  const [weekend, ofWeekend] = /^(?:(this|last|past) )?weekend$/.exec(text) ?? [];
  if (weekend === undefined) return null;
  const coming = startOfPeriod(today, 'Week') + 5 * millisecondsInDay;
  const isThis = ofWeekend === 'this' || (ofWeekend === undefined && coming <= today);
  const saturday = isThis ? coming : coming - 7 * millisecondsInDay;
  return { first: saturday, last: saturday + millisecondsInDay };
}

function back(today: number, period: TimePeriod, count: number): Days {
  const start = addPeriods(startOfPeriod(today, period), period, -count);
  return { first: start, last: addPeriods(start, period, 1) - millisecondsInDay };
}

function spanned(year: number, month: number, count: number): Days | null {
  const first = wallTimeOf([year, month + 1, 1]);
  return first === null ? null : { first, last: addPeriods(first, 'Month', count) - millisecondsInDay };
}

function weekFrom(monday: number | null): Days | null {
  return monday === null ? null : { first: monday, last: monday + 6 * millisecondsInDay };
}

const YEARS_BACK = 7;

function ofYear(typed: string | undefined, today: number, find: (year: number) => Days | null): Days | null {
  if (typed !== undefined) return find(Number(typed));
  for (let years = 0; years <= YEARS_BACK; years += 1) {
    const days = find(yearOf(today) - years);
    if (days !== null && days.first <= today) return days;
  }
  return null;
}

/** True if a text is nothing but the name of a day, which means little on its own in a sentence. */
export function isDayName(text: string): boolean {
  return indexOfName(weekdays, plainDay(text)) >= 0;
}
