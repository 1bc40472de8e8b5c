import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { TimeSpan } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { firstInstantFrom, instantOf, wallOf } from '../../time/zone.ts';
import { weekdayOf } from './day-names.ts';
import type { TypedDay } from './read-day.ts';

/** The day it is on the clocks of a zone, as midnight as if it were UTC. */
export function dayAt(instant: Instant, timeZone: string): number {
  return Math.floor(wallOf(instant, timeZone) / millisecondsInDay) * millisecondsInDay;
}

/** What was meant by a day: all of it, or the minute of its time; null is now. Times that clocks skip move forward. */
export function spanOf(typed: TypedDay | null, now: Instant, timeZone: string): TimeSpan {
  if (typed === null) return minuteOf(now);
  if (typed.time !== null) return minuteOf(instantOf(typed.day + typed.time, timeZone));
  return daysFrom(typed.day, 1, timeZone);
}

/** What the clocks of a zone show at a day's time: the time itself, or a later one where they skip it. */
export function shownDay(typed: TypedDay, timeZone: string): TypedDay {
  if (typed.time === null) return typed;
  const wall = wallOf(instantOf(typed.day + typed.time, timeZone), timeZone);
  const day = Math.floor(wall / millisecondsInDay) * millisecondsInDay;
  return { day, time: wall - day };
}

/** The ISO week of a day (midnight as if it were UTC). */
export function weekOf(day: number, timeZone: string): TimeSpan {
  return daysFrom(day - weekdayOf(day) * millisecondsInDay, 7, timeZone);
}

function daysFrom(day: number, days: number, timeZone: string): TimeSpan {
  return {
    from: firstInstantFrom(day, timeZone),
    until: firstInstantFrom(day + days * millisecondsInDay, timeZone),
  };
}

/** Delegations begin and end with whole minutes, so that what holds in a minute holds at each of its instants. */
function minuteOf(instant: Instant): TimeSpan {
  const from = Math.floor(instant / millisecondsInMinute) * millisecondsInMinute;
  return { from, until: from + millisecondsInMinute };
}
