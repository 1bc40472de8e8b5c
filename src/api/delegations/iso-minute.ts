import type { Instant } from '../../model/issue.ts';

/** ISO text of an instant in UTC to the minute, such as 2026-03-16T08:00Z. */
export function isoMinute(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, -':00.000Z'.length)}Z`;
}
