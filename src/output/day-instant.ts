import type { Instant } from '../model/issue.ts';

/** Midnight UTC of a day written yyyy-MM-dd; null for any other text and for days that no month has. */
export function dayInstant(day: string): Instant | null {
  const [, year, month, date] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined) return null;
  const clock = new Date(0);
  // Date.UTC takes the years 0 to 99 for those of the twentieth century.
  clock.setUTCFullYear(year, month - 1, date);
  // A date that no month has would be counted on into another one.
  return clock.getUTCMonth() === month - 1 && clock.getUTCDate() === date ? clock.getTime() : null;
}
