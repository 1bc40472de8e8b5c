import { tzOffset } from '@date-fns/tz/tzOffset';
import { badRequest } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * `yyyy-MM-dd` or `yyyy-MM-dd HH:mm` read in a zone; a missing time is 00:00. A time the clocks skip is moved
 * forward by the gap, of a time that comes twice the first is meant: as Temporal and java.time do.
 */
export function localTime(name: string, text: string, timeZone: string): Instant {
  const parts = pattern
    .exec(text.trim())
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts ?? [];
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute);
  const exists =
    wall.getUTCMonth() === month - 1 &&
    wall.getUTCDate() === day &&
    wall.getUTCHours() === hour &&
    minute < 60;
  if (parts === undefined || !exists) {
    throw badRequest(`${name} '${text}' is not a date; allowed: yyyy-MM-dd or yyyy-MM-dd HH:mm.`);
  }
  return fromWall(wall.getTime(), timeZone);
}

/** No offset changes twice within two days, so the offsets a day before and after are all there are to choose from. */
function fromWall(wall: number, timeZone: string): Instant {
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((near) => offsetAt(near, timeZone));
  const [early = 0, late = 0] = [before, after];
  const fitting = [wall - early, wall - late].filter(
    (instant) => instant + offsetAt(instant, timeZone) === wall,
  );
  // In a gap no offset fits; the one before it moves the time forward by the gap's length.
  return fitting.length > 0 ? Math.min(...fitting) : wall - early;
}

function offsetAt(instant: Instant, timeZone: string): number {
  return tzOffset(timeZone, new Date(instant)) * MINUTE_MS;
}
