import type { Instant } from '../../model/issue.ts';
import { dateText } from '../../time/java-dates.ts';

/** Days of a zone, and the instant near which their year need not be named. */
interface DayWords {
  readonly timeZone: string;
  readonly near: Instant;
}

/** A day: `Nov 9`, or `Nov 9, 2025` where that is not the year of `near`. */
export function dayWords(at: Instant, { timeZone, near }: DayWords): string {
  const year = dateText(at, 'yyyy', timeZone);
  return dateText(at, year === dateText(near, 'yyyy', timeZone) ? 'MMM d' : 'MMM d, yyyy', timeZone);
}

/** The days from an instant to the last one of a time, inclusive: `Nov 9–15`, `Nov 30 – Dec 6`, `Nov 25–27, 2025`, `Nov 9`. */
export function dayRange(first: Instant, last: Instant, words: DayWords): string {
  const { timeZone } = words;
  const partOf = (at: Instant, pattern: string) => dateText(at, pattern, timeZone);
  const isSame = (pattern: string) => partOf(first, pattern) === partOf(last, pattern);
  if (isSame('yyyy-MM-dd')) return dayWords(last, words);
  if (!isSame('yyyy')) return `${partOf(first, 'MMM d, yyyy')} – ${partOf(last, 'MMM d, yyyy')}`;
  const year = partOf(last, 'yyyy') === partOf(words.near, 'yyyy') ? '' : `, ${partOf(last, 'yyyy')}`;
  return isSame('MM')
    ? `${partOf(first, 'MMM d')}–${partOf(last, 'd')}${year}`
    : `${partOf(first, 'MMM d')} – ${partOf(last, 'MMM d')}${year}`;
}
