import { millisecondsInDay } from 'date-fns/constants';
import type { TimeSpan } from '../model/delegation.ts';
import { months, wallTimeOf } from './date-text.ts';
import { indexOfName, mondayOf, readDay, readWeekName, type TypedDay } from './day-words.ts';
import { addPeriods, startOfPeriod } from './periods.ts';
import { firstInstantFrom, instantOf, weekdayOf, yearOf } from './wall-clock.ts';

/** A period as it was typed; a last day without a time is included. */
export interface TypedPeriod {
  readonly first: TypedDay;
  readonly last: TypedDay;
}

/**
 * Reads `dec 19 to jan 2`, `dec 19-23`, `from 2026-12-19 to 2027-01-02 14:00`, `until friday`, `next week`, `for 3 days`
 * and single days; null for any other text.
 */
export function readPeriod(typed: string, today: number): TypedPeriod | null {
  const text = typed
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/\s*–\s*/g, ' to ')
    .replace(/^([a-z]{3,9} \d{1,2})-(\d{1,2})$/, '$1 to $2')
    .replace(/^the /, '')
    .replace(/^between (.+) and (.+)$/, '$1 to $2')
    .trim();
  const [, which] = /^(this|next) week$/.exec(text) ?? [];
  if (which !== undefined) {
    const monday = today - weekdayOf(today) * millisecondsInDay;
    const [from, days] = which === 'this' ? [today, 6] : [monday + 7 * millisecondsInDay, 13];
    return { first: wholeDay(from), last: wholeDay(monday + days * millisecondsInDay) };
  }
  const [, count, unit] = /^(?:for|(?:for )?(?:the )?next) (an?|one|\d{1,3}) (day|week)s?$/.exec(text) ?? [];
  if (count !== undefined) {
    const days = (/\d/.test(count) ? Number(count) : 1) * (unit === 'week' ? 7 : 1);
    return days === 0
      ? null
      : { first: wholeDay(today), last: wholeDay(today + (days - 1) * millisecondsInDay) };
  }
  const ahead = spanAhead(text, today);
  if (ahead !== null) return ahead;
  const [, only] = /^(?:until|till|through|to) (.+)$/.exec(text) ?? [];
  const [, from, to] = /^(?:from )?(.+?) (?:to|until|till|through|-) (.+)$/.exec(text) ?? [];
  if (only === undefined && to === undefined) {
    const day = readDay(text.replace(/^on /, ''), today);
    return day === null || day.time !== null ? null : { first: day, last: day };
  }
  const first = only === undefined ? readDay(from ?? '', today) : wholeDay(today);
  if (first === null) return null;
  const end = only ?? to ?? '';
  if (/^\d{1,2}$/.test(end)) {
    const namesMonth = months.some((month) => from?.includes(month.slice(0, 3).toLowerCase()));
    const day = namesMonth ? dayFrom(Number(end), first.day) : null;
    return day === null ? null : { first, last: wholeDay(day) };
  }
  const last = readDay(end, /^(?:today|tomorrow|in |next )/.test(end) ? today : first.day);
  return last === null ? null : { first, last };
}

/** Reads `next month`, `december`, `2026-W51` and `the week of dec 14`, as the next one that is not over; null for any other text. */
function spanAhead(text: string, today: number): TypedPeriod | null {
  const plain = text.replace(/^(?:in|during|over) /, '').replace(/^the /, '');
  const [, which] = /^(this|next) month$/.exec(plain) ?? [];
  if (which !== undefined) {
    const first = addPeriods(startOfPeriod(today, 'Month'), 'Month', which === 'this' ? 0 : 1);
    return daysFromTo(
      which === 'this' ? today : first,
      addPeriods(startOfPeriod(first, 'Month'), 'Month', 1),
    );
  }
  const [, name = '', year] = /^([a-z]{3,9})(?: (\d{4}))?$/.exec(plain) ?? [];
  const month = indexOfName(months, name);
  if (month >= 0) {
    const starts = [yearOf(today), yearOf(today) + 1].map(
      (one) => wallTimeOf([Number(year ?? one), month + 1, 1]) ?? 0,
    );
    const first = starts.find((one) => year !== undefined || addPeriods(one, 'Month', 1) > today) ?? today;
    return daysFromTo(first, addPeriods(first, 'Month', 1));
  }
  const named = readWeekName(plain);
  if (named !== null) {
    const monday = mondayOf(named, today, 'ahead');
    return monday === null ? null : weekFrom(monday);
  }
  const [, day] = /^week (?:of|beginning|starting) (.+)$/.exec(plain) ?? [];
  const within = day === undefined ? null : readDay(day, today);
  if (within === null) return null;
  return weekFrom(startOfPeriod(within.day, 'Week'));
}

function weekFrom(monday: number): TypedPeriod {
  return daysFromTo(monday, addPeriods(monday, 'Week', 1));
}

/** Whole days; the end is not included. */
function daysFromTo(first: number, end: number): TypedPeriod {
  return { first: wholeDay(first), last: wholeDay(end - millisecondsInDay) };
}

/** The wall day of a day alone (dec 19 to 23): in the month of the wall day `first`, or in the following (dec 29 to 2). */
function dayFrom(day: number, first: number): number | null {
  const [year, month] = [yearOf(first), new Date(first).getUTCMonth() + 1];
  const here = wallTimeOf([year, month, day]);
  if (here !== null && here >= first) return here;
  return month === 12 ? wallTimeOf([year + 1, 1, day]) : wallTimeOf([year, month + 1, day]);
}

function wholeDay(day: number): TypedDay {
  return { day, time: null };
}

/**
 * The instants of a period, the end exclusive: days are those of the zone of the person who is away, times those of the
 * person who typed them. Days that clocks change on are shorter or longer.
 */
export function spanOfPeriod(
  { first, last }: TypedPeriod,
  { days, times }: { readonly days: string; readonly times: string },
): TimeSpan {
  const at = ({ day, time }: TypedDay, after: number) =>
    time === null ? firstInstantFrom(day + after, days) : instantOf(day + time, times);
  return { from: at(first, 0), until: at(last, millisecondsInDay) };
}
