/** A figure as a chart says it: at most two decimals, thousands apart, a true minus. */
export function figureText(value: number): string {
  const cents = Math.round(Math.abs(value) * 100) / 100;
  const text = cents.toLocaleString('en-US', { maximumFractionDigits: 2 });
  return value < 0 && cents !== 0 ? `−${text}` : text;
}
