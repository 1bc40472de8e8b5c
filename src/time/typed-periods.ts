import { millisecondsInDay } from 'date-fns/constants';
import type { TimeSpan } from '../model/delegation.ts';
import { months, wallTimeOf } from './date-text.ts';
import { indexOfName, readDay, type TypedDay } from './day-words.ts';
import { firstInstantFrom, instantOf, weekdayOf, yearOf } from './wall-clock.ts';

/** A day as `readDay` reads it, and with the month first: `Dec 24`, `Dec 24th, 2026 14:00`. */
export function readTypedDay(typed: string, today: number): TypedDay | null {
  const monthFirst = /\b([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?\b(?!:),?/i;
  return readDay(
    typed.replace(monthFirst, (text, name: string, day: string) =>
      indexOfName(months, name) < 0 ? text : `${day} ${name}`,
    ),
    today,
  );
}

/** A period as it was typed; a last day without a time is included. */
interface TypedPeriod {
  readonly first: TypedDay;
  readonly last: TypedDay;
}

/**
 * Reads `dec 19 to jan 2`, `dec 19-23`, `from 2026-12-19 to 2027-01-02 14:00`, `until friday`, `next week`, `for 3 days`
 * and single days; null for anything else.
 */
export function readPeriod(typed: string, today: number): TypedPeriod | null {
  const text = typed
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/\s*–\s*/g, ' to ')
    .replace(/^([a-z]{3,9} \d{1,2})-(\d{1,2})$/, '$1 to $2')
    .trim();
  const [, which] = /^(this|next) week$/.exec(text) ?? [];
  if (which !== undefined) {
    const monday = today - weekdayOf(today) * millisecondsInDay;
    const [from, days] = which === 'this' ? [today, 6] : [monday + 7 * millisecondsInDay, 13];
    return { first: wholeDay(from), last: wholeDay(monday + days * millisecondsInDay) };
  }
  const [, count, unit] = /^for (an?|one|\d{1,3}) (day|week)s?$/.exec(text) ?? [];
  if (count !== undefined) {
    const days = (/\d/.test(count) ? Number(count) : 1) * (unit === 'week' ? 7 : 1);
    return days === 0
      ? null
      : { first: wholeDay(today), last: wholeDay(today + (days - 1) * millisecondsInDay) };
  }
  const [, only] = /^(?:until|till|through|to) (.+)$/.exec(text) ?? [];
  const [, from, to] = /^(?:from )?(.+?) (?:to|until|till|through|-) (.+)$/.exec(text) ?? [];
  if (only === undefined && to === undefined) {
    const day = readTypedDay(text.replace(/^on /, ''), today);
    return day === null || day.time !== null ? null : { first: day, last: day };
  }
  const first = only === undefined ? readTypedDay(from ?? '', today) : wholeDay(today);
  if (first === null) return null;
  const end = only ?? to ?? '';
  if (/^\d{1,2}$/.test(end)) {
    const namesMonth = months.some((month) => from?.includes(month.slice(0, 3).toLowerCase()));
    const day = namesMonth ? dayFrom(Number(end), first.day) : null;
    return day === null ? null : { first, last: wholeDay(day) };
  }
  const last = readTypedDay(end, /^(?:today|tomorrow|in |next )/.test(end) ? today : first.day);
  return last === null ? null : { first, last };
}

/** Only the day of a month (dec 19 to 23), of the same month as the wall day before it or of the following (dec 29 to 2). */
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
