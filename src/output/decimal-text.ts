/**
 * A number in plain decimals, never with an exponent: at most ten decimals, no trailing zeros, no "-0". Throws
 * RangeError for what is not finite.
 */
export function decimalText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no decimals.`);
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? String(value) : String(BigInt(value));
  const text = String(value);
  if (text.length - text.indexOf('.') <= 11 && !text.includes('e')) return text;
  const rounded = value.toFixed(10).replace(/\.?0+$/, '');
  return rounded === '-0' ? '0' : rounded;
}
