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
  return visits.flatMap((visit) => {
    const instantaneous = visit.start === visit.end;
    const outside = instantaneous
      ? visit.start < from || visit.start >= to
      : visit.end <= from || visit.start >= to;
    // The running visit of an issue that just arrived is 0 ms long at the asked instant and still the one it is in.
    if (outside) return [];
    return [
      {
        ...visit,
        start: Math.max(visit.start, from),
        end: Math.min(visit.end, to),
        open: visit.open && visit.end <= to,
        by: visit.start < from ? null : visit.by,
      },
    ];
  });
}
