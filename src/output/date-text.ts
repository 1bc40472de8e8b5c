import type { Instant } from '../model/issue.ts';
import { dayInstant } from './day-instant.ts';
import { javaDateText } from './java-pattern.ts';

/** An instant in a Java date pattern, as the format settings hold them, and an IANA zone. */
export function dateText(instant: Instant, pattern: string, timeZone: string): string {
  return javaDateText(instant, pattern, timeZone);
}

/** An instant as ISO 8601 in UTC with milliseconds. */
export function isoText(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** A day written yyyy-MM-dd in a Java date pattern; whatever else stands there stays as it is. */
export function dayText(day: string, pattern: string): string {
  const at = dayInstant(day);
  return at === null ? day : javaDateText(at, pattern, 'UTC');
}
