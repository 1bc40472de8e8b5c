import { svg } from './dom.js';

const middle = 58;
const radius = 56;

/** The segments of a pie, clockwise from the top. */
export function pieDrawing(segments, width) {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  return segments.map(({ label, value }, index) => {
    const start = before / total;
    before += value;
    const name = svg('title', {}, `${label}: ${value}`);
    // An arc that ends where it begins is nothing, so a whole pie is a circle.
    if (segments.length === 1)
      return svg('circle', { class: 'series-0 slice', cx: width / 2, cy: middle, r: radius }, name);
    return svg('path', { class: `series-${index} slice`, d: slice(start, before / total, width / 2) }, name);
  });
}

/**
 * The shares of segments in whole percent, which add up to 100: what rounding down leaves goes to those that lost most.
 * @param {{value: number}[]} segments
 */
export function pieShares(segments) {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  const exact = segments.map(({ value }) => (100 * value) / total);
  const shares = exact.map(Math.floor);
  const lost = exact.map((share, index) => [share - shares[index], index]).sort(([a], [b]) => b - a);
  const missing = 100 - shares.reduce((sum, share) => sum + share, 0);
  for (const [, index] of lost.slice(0, missing)) shares[index] += 1;
  return shares;
}

function slice(from, to, centre) {
  const point = (turn) =>
    `${centre + radius * Math.sin(turn * 2 * Math.PI)} ${middle - radius * Math.cos(turn * 2 * Math.PI)}`;
  return `M${centre} ${middle} L${point(from)} A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${point(to)} Z`;
}
