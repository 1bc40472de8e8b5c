import type { TimeSpan } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';

/** The last of stretches in order of time that begins at an instant or before it; undefined where all begin later. */
export function lastFrom<Stretch extends TimeSpan>(
  inOrder: readonly Stretch[],
  at: Instant,
): Stretch | undefined {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle]?.from ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return inOrder[low - 1];
}
