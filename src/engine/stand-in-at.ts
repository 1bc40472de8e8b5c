import type { DelegateTime } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';

/** Who stands in at an instant (null: nobody), and since when that has been so (null: ever since). */
interface Standing {
  readonly standIn: DelegateTime | null;
  readonly since: Instant | null;
}

/** Who stands in at an instant; `stretches` are disjoint and in order. */
export function delegateAt(instant: Instant, stretches: readonly DelegateTime[]): Standing {
  const index = firstEndingAfter(instant, stretches);
  const next = stretches[index];
  if (next === undefined || next.start > instant) {
    return { standIn: null, since: stretches[index - 1]?.end ?? null };
  }
  let since = next.start;
  // One delegation may have followed the other without a change for anybody.
  for (let i = index - 1; ; i -= 1) {
    const before = stretches[i];
    if (before === undefined || before.end !== since || !isSame(before, next))
      return { standIn: next, since };
    since = before.start;
  }
}

/** Index of the first stretch that is not over at an instant. */
export function firstEndingAfter(instant: Instant, stretches: readonly DelegateTime[]): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.end ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSame(a: DelegateTime, b: DelegateTime): boolean {
  return a.delegate === b.delegate && a.category.id === b.category.id;
}
