import type { Week } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import { dateText } from '../../time/java-dates.ts';

/** `week 46 (9–15 Nov)`, or `week 46 of 2025 (10–16 Nov)` where another year is spoken of, in the days of a zone. */
export function weekText(
  { id, start, end }: Pick<Week, 'id' | 'start' | 'end'>,
  timeZone: string,
  asOf: Instant,
): string {
  const number = Number(id.slice(id.indexOf('W') + 1));
  const [first, last] = [start, end - 1];
  const isSameMonth = monthOf(first, timeZone) === monthOf(last, timeZone);
  const from = dateText(first, isSameMonth ? 'd' : 'd MMM', timeZone);
  const year = weekYear(id);
  const ofYear = year === dateText(asOf, 'yyyy', timeZone) ? '' : ` of ${year}`;
  return `week ${number}${ofYear} (${from}–${dateText(last, 'd MMM', timeZone)})`;
}

/** `W46` of 2026-W46 for a chart, the year with it where another one is spoken of. */
export function weekLabel(id: string, timeZone: string, asOf: Instant): string {
  return weekYear(id) === dateText(asOf, 'yyyy', timeZone) ? id.slice(id.indexOf('-') + 1) : id;
}

function weekYear(id: string): string {
  return id.slice(0, id.indexOf('-'));
}

function monthOf(at: number, timeZone: string): string {
  return dateText(at, 'yyyy-MM', timeZone);
}
