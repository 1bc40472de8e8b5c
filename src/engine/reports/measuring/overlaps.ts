import { ABSENT, FIRST_VALUE } from '../../columns/value-codes.ts';
import type { FieldVisits, VisitCursor } from '../../visits/field-visits.ts';

/**
 * Overlays the visits of assignees and of statuses: calls `take` for each stretch with one known assignee and one
 * status, in order, with the indexes of both visits. Both lists are in order and adjoin. A visit of 0 ms overlaps the
 * other field's visit at its instant.
 */
export function eachOverlap(
  { assignees, statuses }: VisitCursor,
  take: (assignee: number, status: number) => void,
): void {
  const { bounds: spans, codes: people, count } = assignees;
  const { bounds, codes } = statuses;
  let [i, j] = [0, 0];
  while (i < count && j < statuses.count) {
    const startA = spans[i];
    const endA = spans[i + 1];
    const startB = bounds[j];
    const endB = bounds[j + 1];
    const start = Math.max(startA, startB);
    const end = Math.min(endA, endB);
    const isMomentary = start === end && (startA === endA || startB === endB);
    const isKnown = people[i] !== ABSENT && codes[j] >= FIRST_VALUE;
    if (isKnown && (start < end || isMomentary)) take(i, j);
    // If both visits end at once, both move on, unless one field has a visit of 0 ms next, which must still overlap the
    // other.
    const isLastA = i + 1 >= count;
    const isLastB = j + 1 >= statuses.count;
    if (endA < endB || (endA === endB && !isLastA && isLastB && spans[i + 2] === endA)) i += 1;
    else if (endB < endA || (!isLastB && isLastA && bounds[j + 2] === endB)) j += 1;
    else {
      i += 1;
      j += 1;
    }
  }
}

/** The working time (ms) in which two visits overlap, found from `works`, which never decrease. */
export function overlapMs(a: FieldVisits, i: number, b: FieldVisits, j: number): number {
  return Math.min(a.works[i + 1], b.works[j + 1]) - Math.max(a.works[i], b.works[j]);
}
