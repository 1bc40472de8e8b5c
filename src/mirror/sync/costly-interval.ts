import { HOUR_MS } from './sync-state.ts';

/** As many an hour may go into what is done for good measure. */
const REQUESTS_PER_HOUR = 100;
const LONGEST_MS = 24 * HOUR_MS;

/** How long (ms) to wait before doing again what has cost so many requests: an hour, or up to a day where it was costly. */
export function costlyInterval(requests: number): number {
  return Math.min(LONGEST_MS, Math.max(HOUR_MS, (requests / REQUESTS_PER_HOUR) * HOUR_MS));
}
