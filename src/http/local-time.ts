import { millisecondsInDay } from 'date-fns/constants';
import { badFields } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { instantOf } from '../time/zone.ts';

/** A date as somebody writes it: `wall` is the wall clock in ms as if it were UTC. */
export interface WallTime {
  readonly wall: number;
  readonly dateOnly: boolean;
}

/** `yyyy-MM-dd` or `yyyy-MM-dd HH:mm` read in a zone; a missing time is 00:00. */
export function localTime(name: string, text: string, timeZone: string): Instant {
  return beginning(readWall(name, text), timeZone);
}

/** The same as the end of a span, which it does not belong to: a date without a time means the end of that day. */
export function localEnd(name: string, text: string, timeZone: string): Instant {
  return ending(readWall(name, text), timeZone);
}

/** The instant of a date in a zone. */
export function beginning({ wall }: WallTime, timeZone: string): Instant {
  return instantOf(wall, timeZone);
}

/** The instant at which a span ends that a date is the last part of. */
export function ending({ wall, dateOnly }: WallTime, timeZone: string): Instant {
  return instantOf(dateOnly ? wall + millisecondsInDay : wall, timeZone);
}

/** `yyyy-MM-dd` or `yyyy-MM-dd HH:mm`; null for what is none, or never was. */
export function wallTime(text: string): WallTime | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/.exec(text.trim());
  const wall = found === null ? null : wallClock(found.slice(1).map((part) => Number(part ?? 0)));
  return wall === null ? null : { wall, dateOnly: found?.[4] === undefined };
}

/** Year, month, day, hour, minute and second on the wall clock, in ms as if it were UTC; null for what never was. */
export function wallClock([
  year = 0,
  month = 0,
  day = 0,
  hour = 0,
  minute = 0,
  second = 0,
]: readonly number[]): number | null {
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second);
  const exists =
    wall.getUTCMonth() === month - 1 &&
    wall.getUTCDate() === day &&
    wall.getUTCHours() === hour &&
    minute < 60 &&
    second < 60;
  return exists ? wall.getTime() : null;
}

function readWall(name: string, text: string): WallTime {
  const wall = wallTime(text);
  if (wall !== null) return wall;
  throw badFields({ [name]: `${name} '${text}' is not a date; allowed: yyyy-MM-dd or yyyy-MM-dd HH:mm.` });
}
