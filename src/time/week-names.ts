import { millisecondsInWeek } from 'date-fns/constants';
import { isoMonday } from './periods.ts';
import { yearOf } from './wall-clock.ts';

/** An ISO week as people name it; the year is null where they leave it out. */
export interface NamedWeek {
  readonly year: number | null;
  readonly number: number;
}

/** A year with a week 53 comes at least every seven years. */
const MAX_YEARS = 7;

/** Reads `2026-W46`, `W46`, `week 46` and `CW 46`; null for other text. */
export function readWeekName(typed: string): NamedWeek | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, year, ofYear, alone] =
    /^(?:(\d{4})-?w(\d{1,2})|(?:w|(?:calendar )?week |cw ?|kw ?)(\d{1,2}))$/.exec(text) ?? [];
  const number = ofYear ?? alone;
  if (number === undefined) return null;
  return { year: year === undefined ? null : Number(year), number: Number(number) };
}

/**
 * The Monday (a wall day) of a named week. Without a year it is the last such week that has begun (`past`), or the next
 * that is not over (`ahead`). Null where there is none.
 */
export function mondayOf(
  { year, number }: NamedWeek,
  today: number,
  direction: 'past' | 'ahead',
): number | null {
  if (year !== null) return isoMonday(year, number);
  const step = direction === 'past' ? -1 : 1;
  // The first days of a week can be in the year before its own, and its last days in the year after.
  for (let years = -1; years <= MAX_YEARS; years += 1) {
    const monday = isoMonday(yearOf(today) + step * years, number);
    if (monday === null) continue;
    if (direction === 'past' ? monday <= today : monday + millisecondsInWeek > today) return monday;
  }
  return null;
}
