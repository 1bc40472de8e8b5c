import { instantOf } from '../calendar/zone.ts';
import { badRequest } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/;
const DAY_MS = 86_400_000;

/** A date as somebody writes it: `wall` is the wall clock in ms as if it were UTC. */
interface WallTime {
  readonly wall: number;
  readonly dateOnly: boolean;
}

/** `yyyy-MM-dd` or `yyyy-MM-dd HH:mm` read in a zone; a missing time is 00:00. */
export function localTime(name: string, text: string, timeZone: string): Instant {
  return instantOf(readWall(name, text).wall, timeZone);
}

/** The same as the end of a span, which it does not belong to: a date without a time means the end of that day. */
export function localEnd(name: string, text: string, timeZone: string): Instant {
  const { wall, dateOnly } = readWall(name, text);
  return instantOf(dateOnly ? wall + DAY_MS : wall, timeZone);
}

function readWall(name: string, text: string): WallTime {
  const found = pattern.exec(text.trim());
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (found ?? [])
    .slice(1)
    .map((part) => Number(part ?? 0));
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute);
  const exists =
    wall.getUTCMonth() === month - 1 &&
    wall.getUTCDate() === day &&
    wall.getUTCHours() === hour &&
    minute < 60;
  if (found === null || !exists) {
    throw badRequest(`${name} '${text}' is not a date; allowed: yyyy-MM-dd or yyyy-MM-dd HH:mm.`);
  }
  return { wall: wall.getTime(), dateOnly: found[4] === undefined };
}
