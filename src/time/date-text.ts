import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { memo } from '../cache/namespace.ts';
import type { Instant } from '../model/issue.ts';
import { weekdays as calendarDays } from '../model/settings.ts';
import { offsetAt } from './zones.ts';

/** The months of a year. */
export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** The days of a week in English; ISO weeks begin with Monday. */
export const weekdays: readonly string[] = calendarDays.map(
  (day) => day.charAt(0) + day.slice(1).toLowerCase(),
);

const MINUTE_LENGTH = 'yyyy-MM-ddTHH:mm'.length;

/** An instant read from a text, and how far the text's clock is ahead of UTC (ms). */
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
 * The wall time of a year, month (from 1), day, hour, minute and second, in ms as if it were UTC; null for times that
 * never were, such as 30 February or 24 o'clock, which a Date would take for the days that follow.
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

/** Reads `yyyy-MM-dd` and `yyyy-MM-dd HH:mm`; null for any other text, and for times that never were. */
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

/** An instant on a zone's clocks: the UTC getters of `clock` give the wall clock; `offset` in ms. */
interface Moment {
  readonly instant: Instant;
  readonly timeZone: string;
  readonly offset: number;
  readonly clock: Date;
}

type Writer = (moment: Moment) => string;

const MAX_PATTERN_LENGTH = 100;
const MAX_PATTERNS = 100;
const MAX_DAYS = 4000;
const DAY_LENGTH = 'yyyy-MM-dd'.length;
const MAX_ZONES = 100;
const MAX_NAMES = 1000;

const days = ['Sunday', ...weekdays.slice(0, 6)];

/**
 * The writer of each letter, by how often it is repeated. Weeks are those of Locale.US: they start on Sunday, and week
 * 1 is the one with January 1, so that Y may be a year ahead of y in the last days of December.
 */
const letters: Readonly<Record<string, (count: number) => Writer>> = {
  G: () => (moment) => (fullYear(moment) > 0 ? 'AD' : 'BC'),
  y: (count) => year(count, (moment) => (fullYear(moment) > 0 ? fullYear(moment) : 1 - fullYear(moment))),
  Y: (count) => year(count, (moment) => fullYear(moment) + (inNextYearsWeek(moment) ? 1 : 0)),
  M: month,
  L: month,
  w: (count) => number(count, (moment) => (inNextYearsWeek(moment) ? 1 : weekOf(dayOfYear(moment), moment))),
  W: (count) => number(count, (moment) => weekOf(moment.clock.getUTCDate(), moment)),
  D: (count) => number(count, dayOfYear),
  d: (count) => number(count, ({ clock }) => clock.getUTCDate()),
  F: (count) => number(count, ({ clock }) => Math.ceil(clock.getUTCDate() / 7)),
  E: (count) => name(count, days, ({ clock }) => clock.getUTCDay()),
  u: (count) => number(count, ({ clock }) => clock.getUTCDay() || 7),
  a: () => (moment) => (hour(moment) < 12 ? 'AM' : 'PM'),
  H: (count) => number(count, hour),
  k: (count) => number(count, (moment) => hour(moment) || 24),
  K: (count) => number(count, (moment) => hour(moment) % 12),
  h: (count) => number(count, (moment) => hour(moment) % 12 || 12),
  m: (count) => number(count, ({ clock }) => clock.getUTCMinutes()),
  s: (count) => number(count, ({ clock }) => clock.getUTCSeconds()),
  S: (count) => number(count, ({ clock }) => clock.getUTCMilliseconds()),
  z: (count) => (moment) => zoneName(moment, count < 4 ? 'short' : 'long'),
  Z: () => (moment) => offsetText(moment, true, ''),
  X: (count) => (moment) =>
    moment.offset === 0 ? 'Z' : offsetText(moment, count > 1, count === 3 ? ':' : ''),
};

/** Splits a pattern into quoted texts, runs of one letter, and the rest. A quote without its partner runs to the end. */
const parts = /''|'((?:[^']|'')*)('|$)|([A-Za-z])\3*|[^A-Za-z']+/g;

const writersOf = memo(readPattern, MAX_PATTERNS);

/**
 * An instant in a pattern of java.text.SimpleDateFormat with Locale.US, in the proleptic Gregorian calendar. Throws a
 * RangeError for a pattern that `patternProblem` refuses. An abbreviation (z) that no English-speaking country uses is the offset
 * instead, such as GMT+9.
 */
export function dateText(instant: Instant, pattern: string, timeZone: string): string {
  const offset = offsetAt(instant, timeZone);
  const moment = { instant, timeZone, offset, clock: new Date(instant + offset) };
  let text = '';
  for (const write of writersOf(pattern)) text += write(moment);
  return text;
}

/** A day written yyyy-MM-dd in a pattern as `dateText` takes it; any other text stays as it is. */
export function dayText(day: string, pattern: string): string {
  return day.length === DAY_LENGTH ? daysIn(pattern)(day) : day;
}

/** The texts of days by pattern: days recur, and finding one is quicker than reading and writing it. */
const daysIn = memo((pattern: string) => {
  return memo((day: string) => {
    const at = readIsoDay(day);
    return at === null ? day : dateText(at, pattern, 'UTC');
  }, MAX_DAYS);
}, MAX_PATTERNS);

/** Completes "dateFormat 'x' …", without a full stop; null when the pattern is good. */
export function patternProblem(pattern: string): string | null {
  if (pattern.trim() === '') return `is empty. Try: 1 to ${MAX_PATTERN_LENGTH} characters`;
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return `is ${pattern.length} characters long. Try: 1 to ${MAX_PATTERN_LENGTH} characters`;
  }
  for (const { 0: part, 2: end, 3: letter, index } of pattern.matchAll(parts)) {
    const position = index + 1;
    if (end === '') {
      return `has a quote at position ${position} that is never closed. Try: 'text' in quotes, and '' for a quote`;
    }
    if (letter === undefined) continue;
    if (!Object.hasOwn(letters, letter)) {
      const known = Object.keys(letters).join(' ');
      return `has the unknown letter '${letter}' at position ${position}. Try: ${known}, and any text in quotes`;
    }
    if (letter === 'X' && part.length > 3) {
      return `has ${part.length} times the letter 'X' at position ${position}. Try: X, XX, XXX`;
    }
  }
  return null;
}

/** A run of one letter, or (letter null) text that is written as it is, its quotes taken off. */
export interface PatternPart {
  readonly letter: string | null;
  readonly text: string;
}

/** The parts of a pattern that `patternProblem` accepts. */
export function patternParts(pattern: string): readonly PatternPart[] {
  return [...pattern.matchAll(parts)].map(({ 0: part, 1: quoted, 3: letter }) => {
    if (letter !== undefined) return { letter, text: part };
    return { letter: null, text: part === "''" ? "'" : (quoted?.replaceAll("''", "'") ?? part) };
  });
}

function readPattern(pattern: string): readonly Writer[] {
  const why = patternProblem(pattern);
  if (why !== null) throw new RangeError(`The date pattern '${pattern}' ${why}.`);
  return patternParts(pattern).map(({ letter, text }) => {
    return letters[letter ?? '']?.(text.length) ?? (() => text);
  });
}

function number(count: number, read: (moment: Moment) => number): Writer {
  return (moment) => digits(read(moment), count);
}

function year(count: number, read: (moment: Moment) => number): Writer {
  return number(count, count === 2 ? (moment) => read(moment) % 100 : read);
}

function month(count: number): Writer {
  const read = ({ clock }: Moment) => clock.getUTCMonth();
  return count < 3 ? number(count, (moment) => read(moment) + 1) : name(count, months, read);
}

function name(count: number, names: readonly string[], read: (moment: Moment) => number): Writer {
  const texts = count < 4 ? names.map((text) => text.slice(0, 3)) : names;
  return (moment) => texts[read(moment)] ?? '';
}

function digits(value: number, count: number): string {
  return value < 0 ? `-${digits(-value, count)}` : String(value).padStart(count, '0');
}

function hour({ clock }: Moment): number {
  return clock.getUTCHours();
}

function fullYear({ clock }: Moment): number {
  return clock.getUTCFullYear();
}

function dayOfYear({ clock }: Moment): number {
  const first = new Date(clock);
  first.setUTCMonth(0, 1);
  return Math.round((clock.getTime() - first.getTime()) / millisecondsInDay) + 1;
}

/** The week of a day of a year or month, counted from 1, the first of which may be short. */
function weekOf(day: number, { clock }: Moment): number {
  return Math.ceil((day - clock.getUTCDay() + 6) / 7);
}

function inNextYearsWeek({ clock }: Moment): boolean {
  return clock.getUTCMonth() === 11 && clock.getUTCDate() - clock.getUTCDay() + 6 > 31;
}

function offsetText({ offset }: Moment, minutes: boolean, colon: string): string {
  const total = Math.floor(Math.abs(offset) / millisecondsInMinute);
  const hours = `${offset < 0 ? '-' : '+'}${digits(Math.floor(total / 60), 2)}`;
  return minutes ? `${hours}${colon}${digits(total % 60, 2)}` : hours;
}

/** American English abbreviates American zones only; the English of other countries abbreviates theirs. */
const englishes = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA', 'en-CA'];

const nameFormat = memo((key: string) => {
  const [locale = '', style = '', timeZone = ''] = key.split(' ');
  return new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: style === 'short' ? 'short' : 'long' });
}, MAX_ZONES);

/** The name of a zone, formatted once per zone, offset and year, as that takes a hundred times as long as all the rest. */
const nameFound = memo((key: string, instant: Instant) => {
  const [style = '', timeZone = ''] = key.split(' ');
  const names = englishes.values().map((locale) => nameIn(locale, instant, timeZone, style));
  return names.find((text) => !/^GMT[+-]/.test(text)) ?? nameIn('en-US', instant, timeZone, style);
}, MAX_NAMES);

function zoneName({ instant, timeZone, offset, clock }: Moment, style: 'short' | 'long'): string {
  return nameFound(`${style} ${timeZone} ${offset} ${clock.getUTCFullYear()}`, instant);
}

function nameIn(locale: string, instant: Instant, timeZone: string, style: string): string {
  const parts = nameFormat(`${locale} ${style} ${timeZone}`).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
