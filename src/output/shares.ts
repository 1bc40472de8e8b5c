/**
 * Whole numbers in place of exact ones, which together are `whole`: each is cut, and what is missing goes to those that
 * lost most (largest remainder). Where the exact ones add up to `whole`, none differs from its own by one or more.
 */
export function apportioned(exact: readonly number[], whole: number): number[] {
  const cut = exact.map(Math.floor);
  const missing = whole - cut.reduce((sum, one) => sum + one, 0);
  const lost = exact.map((one, index) => ({ index, by: one - Math.floor(one) }));
  const raised = new Set(
    lost
      .toSorted((a, b) => b.by - a.by)
      .slice(0, Math.max(0, missing))
      .map(({ index }) => index),
  );
  return cut.map((one, index) => (raised.has(index) ? one + 1 : one));
}

/** The parts of a whole in percent, which add up to 100, with a number of decimals at most; all 0 where there is nothing. */
export function sharesOf(parts: readonly number[], decimals = 0): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  if (whole === 0) return parts.map(() => 0);
  const steps = 10 ** decimals;
  return apportioned(
    parts.map((part) => (100 * steps * part) / whole),
    100 * steps,
  ).map((share) => share / steps);
}

/** The parts of a whole as people write them: `33%`. */
export function shareTexts(parts: readonly number[]): string[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  return sharesOf(parts).map((percent, index) => percentWords(percent, (parts[index] ?? 0) / whole));
}

/** A part of a whole, as people write it. */
export function percentText(share: number): string {
  return percentWords(Math.round(share * 100), share);
}

/** A part that rounds to 0 is still something, and one that rounds to 100 is not all. */
function percentWords(percent: number, share: number): string {
  if (percent === 0 && share > 0) return '<1%';
  if (percent === 100 && share < 1) return '>99%';
  return `${percent}%`;
}
