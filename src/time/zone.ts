import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { offsetsOf } from './zone-offsets.ts';

/** More than there are zones, whichever way they are written. */
const MOST_KNOWN = 2_000;

const known = new Set<string>();

/** Whether a text names a zone of the IANA database; a plain offset such as +02:00 is none. */
export function isTimeZone(text: string): boolean {
  // Every question asks about a zone, and a formatter takes a tenth of a millisecond to make.
  if (known.has(text)) return true;
  try {
    if (!/^[A-Za-z]/.test(text)) return false;
    new Intl.DateTimeFormat('en-US', { timeZone: text });
  } catch {
    return false;
  }
  if (known.size >= MOST_KNOWN) known.clear();
  known.add(text);
  return true;
}

/** How far the wall clock is ahead of UTC at an instant, in ms; to the second in times before standard time. */
export function offsetAt(instant: Instant, timeZone: string): number {
  return offsetsOf(timeZone)(instant);
}

/** The wall clock at an instant, as milliseconds as if it were UTC. */
export function wallOf(instant: Instant, timeZone: string): number {
  return instant + offsetAt(instant, timeZone);
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
  if (fitting !== undefined) return fitting;
  let [before, after] = [wall - late - 1, wall - early];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (wallOf(middle, timeZone) >= wall) after = middle;
    else before = middle;
  }
  return after;
}

interface Candidates {
  /** The offsets well before and well after. */
  readonly early: number;
  readonly late: number;
  /** The first instant at which the clock shows exactly the time. */
  readonly fitting: Instant | undefined;
}

/** No zone is more than a day off, and none changes twice within two days, so there are two offsets to choose from. */
function candidates(wall: number, timeZone: string): Candidates {
  const offset = offsetsOf(timeZone);
  const early = offset(wall - millisecondsInDay);
  const late = offset(wall + millisecondsInDay);
  if (early === late) return { early, late, fitting: wall - early };
  const fitting = [wall - early, wall - late].filter((instant) => instant + offset(instant) === wall);
  return { early, late, fitting: fitting.length > 0 ? Math.min(...fitting) : undefined };
}
