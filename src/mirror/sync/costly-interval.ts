import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';

/** As many an hour may go into what is done for good measure. */
const REQUESTS_PER_HOUR = 100;

/** How long (ms) to wait before doing again what has cost so many requests: an hour, or up to a day where it was costly. */
export function costlyInterval(
  requests: number,
  [shortestMs, longestMs]: readonly [number, number] = [millisecondsInHour, millisecondsInDay],
): number {
  return Math.min(longestMs, Math.max(shortestMs, (requests / REQUESTS_PER_HOUR) * millisecondsInHour));
}
