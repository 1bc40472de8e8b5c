import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { instantOf, wallOf } from '../../time/zone.ts';

export type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm';
const exact: Readonly<Record<string, number>> = {
  w: 7 * millisecondsInDay,
  d: millisecondsInDay,
  h: 60 * millisecondsInMinute,
  m: millisecondsInMinute,
};

/** Three thousand years: anything further away is a slip, and may lie outside what a date can hold. */
const LONGEST = 3_000 * 366 * millisecondsInDay;
const roughly: Readonly<Record<string, number>> = {
  ...exact,
  M: 31 * millisecondsInDay,
  y: 366 * millisecondsInDay,
};

/**
 * A period relative to now, such as `-4w`, `5d` or `-1w 2d`, in ms; null if the text is none. Units are w, d, h and m
 * as in Jira; a day is 24 hours even where the clock is put forward, and the sign holds for the whole period.
 */
export function readPeriod(text: string): number | null {
  const [, sign, parts] = /^([-+]?)\s*(\d+[wdhm](?:\s*\d+[wdhm])*)$/.exec(text.trim()) ?? [];
  if (parts === undefined) return null;
  let length = 0;
  for (const [, count, unit] of parts.matchAll(/(\d+)([wdhm])/g)) {
    length += Number(count) * (exact[unit ?? ''] ?? 0);
  }
  if (length > LONGEST) return null;
  return sign === '-' ? -length : length;
}

export interface Offset {
  readonly count: number;
  readonly unit: Unit;
}

/** The argument of a function such as `startOfDay("-1w")`; without a unit it is the function's own. Null if it is none. */
export function readOffset(text: string, own: Offset): Offset | null {
  const [, sign, digits, unit] = /^([-+]?)(\d+)([yMwdhm]?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits) * (sign === '-' ? -1 : 1);
  const offset = isUnit(unit) ? { count, unit } : { count: count * own.count, unit: own.unit };
  return Math.abs(offset.count) * (roughly[offset.unit] ?? 0) > LONGEST ? null : offset;
}

function isUnit(text: string | undefined): text is Unit {
  return text !== undefined && Object.hasOwn(roughly, text);
}

/**
 * A wall time moved by an offset, as an instant. Years, months, weeks and days move the wall clock (the last day of a
 * shorter month stands for those it lacks); hours and minutes are time that really passes.
 */
export function moveWall(wall: number, { count, unit }: Offset, timeZone: string): Instant {
  if (unit === 'h' || unit === 'm') return instantOf(wall, timeZone) + count * (exact[unit] ?? 0);
  if (unit === 'w' || unit === 'd') return instantOf(wall + count * (exact[unit] ?? 0), timeZone);
  return instantOf(addMonths(wall, unit === 'y' ? 12 * count : count), timeZone);
}

/** Midnight at which the day of an instant begins on the wall. */
export function wallDay(instant: Instant, timeZone: string): number {
  return Math.floor(wallOf(instant, timeZone) / millisecondsInDay) * millisecondsInDay;
}

export function nextWallDay(day: number): number {
  return day + millisecondsInDay;
}

export function addMonths(wall: number, months: number): number {
  const date = new Date(wall);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDay = wall - Math.floor(wall / millisecondsInDay) * millisecondsInDay;
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + timeOfDay;
}
