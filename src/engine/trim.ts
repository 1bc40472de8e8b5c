import type { Instant } from '../model/issue.ts';
import type { Visit } from './timeline.ts';

/** A window of history; a missing side is open. */
export interface Trim {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/**
 * Visits as if the issue had been created at the window's start with what it had then, and had gone at its end.
 * The window includes its start and excludes its end; a visit that merely touches it from outside is not in it.
 */
export function trimVisits(visits: readonly Visit[], trim: Trim): Visit[] {
  const from = trim.from ?? Number.NEGATIVE_INFINITY;
  const to = trim.to ?? Number.POSITIVE_INFINITY;
  return visits
    .filter(({ start, end, open }) => {
      // A visit holds its first instant and not its last, unless it is 0 ms long or still open.
      const reaches = end > from || (end === from && (open || start === end));
      return reaches && start < to && from < to;
    })
    .map((visit) => ({
      ...visit,
      start: Math.max(visit.start, from),
      end: Math.min(visit.end, to),
      open: visit.open && visit.end < to,
      // As if created at the window's start: there it begins, whenever it truly began.
      begun: visit.begun || (visit.known && visit.start < from),
      by: visit.start < from ? null : visit.by,
    }));
}
