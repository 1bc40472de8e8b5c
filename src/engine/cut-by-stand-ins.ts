import type { DelegateTime } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { firstEndingAfter } from './stand-in-at.ts';

/** A part of somebody's time in which one and the same person stood in for them, or nobody did. */
interface StandInPiece {
  readonly standIn: DelegateTime | null;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * A span of somebody's time cut wherever who stands in changes; the pieces adjoin. `stretches` are disjoint and in
 * order. A span of 0 ms is that of whoever stands in at its instant. An `open` span holds its last instant as well:
 * who begins or ends to stand in just then makes a piece of 0 ms.
 */
export function cutByStandIns(
  { start, end, open }: { readonly start: Instant; readonly end: Instant; readonly open: boolean },
  stretches: readonly DelegateTime[],
): StandInPiece[] {
  const pieces: StandInPiece[] = [];
  let at = start;
  for (let i = firstEndingAfter(start, stretches); ; ) {
    const stretch = stretches[i];
    const standIn = stretch !== undefined && stretch.start <= at ? stretch : null;
    const next = standIn?.end ?? stretch?.start ?? Number.POSITIVE_INFINITY;
    pieces.push({ standIn, start: at, end: Math.min(next, end) });
    if (next > end || (next === end && !(open && at < end))) return pieces;
    at = next;
    if (standIn !== null) i += 1;
  }
}
