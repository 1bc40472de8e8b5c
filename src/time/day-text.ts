import { tz } from '@date-fns/tz/tz';
import { millisecondsInDay } from 'date-fns/constants';
import { format } from 'date-fns/format';

/** Wall times are written as if they were UTC. */
const utc = { in: tz('UTC') };

/** Days that are nearer than this need no year. */
const NEAR_MS = 300 * millisecondsInDay;

/** A wall day: `Fri, Dec 24`, or without its weekday `Dec 24`; with the year where it is far from another wall time. */
export function nearDayText(day: number, near: number, weekday = true): string {
  const year = Math.abs(day - near) < NEAR_MS ? '' : ', y';
  return format(day, `${weekday ? 'EEE, ' : ''}MMM d${year}`, utc);
}

/** The time of day of a wall time: `2:00 PM`. */
export function hourText(wall: number): string {
  return format(wall, 'h:mm a', utc);
}
