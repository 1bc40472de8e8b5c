/** The least integer in (low, high] from which on a condition is met, found by halving; it is met at `high`. */
export function firstWhere(low: number, high: number, isMet: (at: number) => boolean): number {
  let [before, after] = [low, high];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isMet(middle)) after = middle;
    else before = middle;
  }
  return after;
}
