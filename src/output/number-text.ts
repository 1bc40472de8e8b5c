/** A count, or a mean of counts, with at most ten decimals as a duration has them, and no trailing zeros. */
export function numberText(value: number): string {
  return String(Number(value.toFixed(10)));
}
