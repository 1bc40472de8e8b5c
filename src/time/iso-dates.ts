import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';

const MINUTE_LENGTH = 'yyyy-MM-ddTHH:mm'.length;

/** An instant as a text gives it, and how far its clock is ahead of UTC (ms). */
interface WrittenInstant {
  readonly instant: Instant;
  readonly offset: number;
}

/** A date as people write it: a wall time (ms as if it were UTC), and whether it is all of a day. */
export interface WallDate {
  readonly wall: number;
  readonly dateOnly: boolean;
}

const dayShape = /^(\d{4})-(\d\d)-(\d\d)$/;
const instantShape =
  /^(\d{4})-(\d\d)-(\d\d)([T ])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?( ?)(?:Z|([+-])(\d\d):?(\d\d))$/i;

/**
 * The wall time of a year, month (from 1), day, hour, minute and second, in ms as if it were UTC; null for what never
 * was, such as 30 February or 24 o'clock, which a Date would take for the days that follow.
 */
export function wallTimeOf([
  year = 0,
  month = 0,
  day = 0,
  hour = 0,
  minute = 0,
  second = 0,
]: readonly number[]): number | null {
  const wall = new Date(0);
  // Date.UTC takes the years 0 to 99 for those of the twentieth century.
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

/** Midnight UTC of a day written yyyy-MM-dd; null for any other text and for days that no month has. */
export function readIsoDay(text: string): Instant | null {
  const parts = dayShape.exec(text);
  return parts === null ? null : wallTimeOf(parts.slice(1).map(Number));
}

/** `yyyy-MM-dd` or `yyyy-MM-dd HH:mm`; null for any other text, and for what never was. */
export function readWallDate(text: string): WallDate | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/.exec(text.trim());
  const wall = found === null ? null : wallTimeOf(found.slice(1).map((part) => Number(part ?? 0)));
  return wall === null ? null : { wall, dateOnly: found?.[4] === undefined };
}

/**
 * Reads `2026-03-16T08:00Z` and `2021-08-27T05:45:36.123+0000`: the offset is given and may lack its colon, seconds and
 * their fraction may be left out, `T` may be a space. Null for any other text and for times that never were.
 */
export function readInstant(text: string): WrittenInstant | null {
  const parts = instantShape.exec(text);
  if (parts === null) return null;
  const [, year, month, day, , hour, minute, second = '0', fraction = '', , sign, hours = 0, minutes = 0] =
    parts;
  const wall = wallTimeOf([
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  ]);
  if (wall === null || Number(hours) > 23 || Number(minutes) > 59) return null;
  const ahead = (Number(hours) * 60 + Number(minutes)) * millisecondsInMinute;
  const offset = sign === '-' ? -ahead : ahead;
  return { instant: wall + Number(fraction.slice(0, 3).padEnd(3, '0')) - offset, offset };
}

/** An instant as ISO 8601 in UTC with milliseconds. */
export function isoText(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** ISO text of an instant in UTC to the minute, such as 2026-03-16T08:00Z. */
export function isoMinute(instant: Instant): string {
  return `${isoText(instant).slice(0, -':00.000Z'.length)}Z`;
}

/** The date of a wall time, such as 2026-03-16. */
export function isoDay(wall: number): string {
  return isoText(wall).slice(0, -'T00:00:00.000Z'.length);
}

/** A wall time to the minute, such as 2026-03-16 08:00; of an instant it is that of UTC. */
export function minuteText(wall: number): string {
  return isoText(wall).slice(0, MINUTE_LENGTH).replace('T', ' ');
}

/** The time of day of a wall time, such as 08:00; of an instant it is that of UTC. */
export function timeOfDayText(wall: number): string {
  return isoText(wall).slice('yyyy-MM-ddT'.length, MINUTE_LENGTH);
}
