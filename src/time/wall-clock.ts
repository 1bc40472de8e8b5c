import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { firstWhere } from './bisect.ts';
import { offsetAt, offsetsOf } from './zones.ts';

// A wall time is the time a wall clock shows, in ms as if it were UTC; a wall day is the midnight of its date likewise.

/** The wall time at an instant. */
export function wallOf(instant: Instant, timeZone: string): number {
  return instant + offsetAt(instant, timeZone);
}

/** The wall day at an instant. */
export function dayAt(instant: Instant, timeZone: string): number {
  return dayOf(wallOf(instant, timeZone));
}

/** The wall day of a wall time. */
export function dayOf(wall: number): number {
  return Math.floor(wall / millisecondsInDay) * millisecondsInDay;
}

/** The weekday of a wall time, from 0 for Monday. */
export function weekdayOf(wall: number): number {
  return (new Date(wall).getUTCDay() + 6) % 7;
}

/** True for a wall time from Monday to Friday. */
export function isWeekday(wall: number): boolean {
  return weekdayOf(wall) < 5;
}

/** The year of a wall time. */
export function yearOf(wall: number): number {
  return new Date(wall).getUTCFullYear();
}

/**
 * The instant at which the wall clock shows a time. A time the clocks skip is moved forward by the gap, of a time that
 * comes twice the first is meant: as Temporal and java.time do.
 */
export function instantOf(wall: number, timeZone: string): Instant {
  const { early, fitting } = candidates(wall, timeZone);
  // In a gap no offset fits; the one before it moves the time forward by the gap's length.
  return fitting ?? wall - early;
}

/** The first instant at which the wall clock shows a time or, where the clocks skip it, a later one. */
export function firstInstantFrom(wall: number, timeZone: string): Instant {
  const { early, late, fitting } = candidates(wall, timeZone);
  return fitting ?? firstWhere(wall - late - 1, wall - early, (at) => wallOf(at, timeZone) >= wall);
}

/** True if a place never had a wall day, because it moved over the date line: 2011-12-30 in Apia. */
export function isSkippedDay(day: number, timeZone: string): boolean {
  const { early, late } = candidates(day, timeZone);
  // Only a change by a day or more leaves out a date, so nearly every day is decided here.
  return late - early >= millisecondsInDay && dayAt(firstInstantFrom(day, timeZone), timeZone) !== day;
}

/**
 * The latest whole minute of a zone's wall clock that no way of reading it takes for an instant later than this one: an
 * hour that comes twice is passed over while it comes first, and of a time the clocks skip both readings count.
 */
export function latestSafeMinute(instant: Instant, timeZone: string): number {
  const floor = (ms: number) => Math.floor(ms / millisecondsInMinute) * millisecondsInMinute;
  let wall = floor(wallOf(instant, timeZone));
  while (readings(wall, timeZone).some((reading) => reading > instant)) wall -= millisecondsInMinute;
  return wall;
}

/** Every instant at which the clock shows this; of a time the clocks skip, both that may be meant. */
function readings(wall: number, timeZone: string): readonly Instant[] {
  const { early, late, shown } = candidates(wall, timeZone);
  return shown.length > 0 ? shown : [wall - early, wall - late];
}

interface Candidates {
  /** The offsets well before and well after. */
  readonly early: number;
  readonly late: number;
  /** The instants at which the clock shows exactly the time, and the first of them. */
  readonly shown: readonly Instant[];
  readonly fitting: Instant | undefined;
}

/** No zone is more than a day off, and none changes twice within two days, so there are two offsets to choose from. */
function candidates(wall: number, timeZone: string): Candidates {
  const offset = offsetsOf(timeZone);
  const early = offset(wall - millisecondsInDay);
  const late = offset(wall + millisecondsInDay);
  if (early === late) return { early, late, shown: [wall - early], fitting: wall - early };
  const shown = [wall - early, wall - late].filter((instant) => instant + offset(instant) === wall);
  return { early, late, shown, fitting: shown.length > 0 ? Math.min(...shown) : undefined };
}
