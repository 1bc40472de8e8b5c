import { tz } from '@date-fns/tz/tz';
import {
  millisecondsInDay,
  millisecondsInHour,
  millisecondsInMinute,
  millisecondsInWeek,
} from 'date-fns/constants';
import { format } from 'date-fns/format';
import type { TimeSpan } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { months, readIsoDay, wallTimeOf, weekdays } from './date-text.ts';
import { isoMonday } from './periods.ts';
import { firstInstantFrom, instantOf, weekdayOf, yearOf } from './wall-clock.ts';

/** A wall day, and the time of that day (ms) where one was named. */
export interface TypedDay {
  readonly day: number;
  readonly time: number | null;
}

/** The longest time between two 29 Februaries. */
const LEAP_CYCLE_YEARS = 8;

const WEEKS = new Map([
  ['', 0],
  ['this week', 0],
  ['next week', 7],
  ['last week', -7],
]);

/** A day of a month without its year, such as `24 Dec` and `24. dec`. */
const yearless = /^\d{1,2}\.? [a-z]+$/;

/** The index of a name in its list, in any case, written out or cut as people do (`sep`, `sept`); -1 for any other word. */
export function indexOfName(names: readonly string[], word: string): number {
  const wanted = word.toLowerCase();
  return names.findIndex((one) => {
    const name = one.toLowerCase();
    return name === wanted || name.slice(0, 3) === wanted || cuts.get(name)?.includes(wanted) === true;
  });
}

/** Names that are also cut after more than three letters. */
const cuts: ReadonlyMap<string, readonly string[]> = new Map([
  ['september', ['sept']],
  ['tuesday', ['tues']],
  ['wednesday', ['weds']],
  ['thursday', ['thur', 'thurs']],
]);

/** A day as people type it, counted from the wall day `today`; null for any other text. */
export function readDay(typed: string, today: number): TypedDay | null {
  const text = plainDay(typed);
  const [, before, hour, minute] =
    /^(.*?\S)(?:(?: at)? |(?<=\d)t)([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const day = dayOfWords(before ?? text, today);
  if (day === null) return null;
  const time =
    hour === undefined ? null : Number(hour) * millisecondsInHour + Number(minute) * millisecondsInMinute;
  return { day, time };
}

/** A day of the week that a text names, counted from the wall day `today`; null for any other text. */
export function readDayOfWeek(typed: string, today: number): number | null {
  const days = WEEKS.get(plainDay(typed));
  return days === undefined ? readWholeDay(typed, today) : today + days * millisecondsInDay;
}

/** A day that has been, counted back from the wall day `today`; null for other text. */
export function readPastDay(typed: string, today: number): number | null {
  const text = plainDay(typed);
  if (text === 'yesterday') return today - millisecondsInDay;
  const [, count] = /^(\d{1,4}) days? ago$/.exec(text) ?? [];
  if (count !== undefined) return today - Number(count) * millisecondsInDay;
  const [, name = ''] = /^(?:last )?(\w+)$/.exec(text) ?? [];
  const weekday = indexOfName(weekdays, name);
  if (weekday >= 0)
    return today - millisecondsInDay * ((weekdayOf(today) - weekday + 7) % 7 || (text === name ? 0 : 7));
  if (yearless.test(text)) {
    return nearestYear(today, -1, (year) => {
      const day = readWholeDay(`${text} ${year}`, today);
      return day !== null && day <= today ? day : null;
    });
  }
  return /^(today|\d{4}-.*|.* \d{4})$/.test(text) ? readWholeDay(text, today) : null;
}

/**
 * The other end of a span that begins on the wall day `first`: a day of the month without a year is the first such day
 * at or after it, and so is a weekday whose last one is before it. Otherwise as `readPastDay`.
 */
export function readLastDay(typed: string, first: number, today: number): number | null {
  const read = readPastDay(typed, today);
  const text = plainDay(typed);
  const isWeekday = indexOfName(weekdays, text) >= 0 && read !== null && read < first;
  const next = isWeekday || yearless.test(text) ? (readDay(text, first)?.day ?? read) : read;
  return next !== null && next > today && !canEndAhead(first, next) ? read : next;
}

const HALF_YEAR_MS = 183 * millisecondsInDay;

/**
 * True if a span that began may end on a day without a year that is still to come: in the same year, or less than half
 * a year later. Otherwise its days are in the wrong order: `nov 20` to `nov 1` does not end next year.
 */
export function canEndAhead(first: number, last: number): boolean {
  return yearOf(last) === yearOf(first) || last - first < HALF_YEAR_MS;
}

/** All of a typed day, or the minute of its time; null is now. Times that clocks skip move forward. */
export function spanOfDay(typed: TypedDay | null, now: Instant, timeZone: string): TimeSpan {
  if (typed === null) return minuteAround(now);
  if (typed.time !== null) return minuteAround(instantOf(typed.day + typed.time, timeZone));
  return spanOfDays(typed.day, 1, timeZone);
}

/** The ISO week of a wall day. */
export function spanOfWeek(day: number, timeZone: string): TimeSpan {
  return spanOfDays(day - weekdayOf(day) * millisecondsInDay, 7, timeZone);
}

/** A number of days from a wall day on, each as long as it is in the zone. */
export function spanOfDays(day: number, days: number, timeZone: string): TimeSpan {
  return {
    from: firstInstantFrom(day, timeZone),
    until: firstInstantFrom(day + days * millisecondsInDay, timeZone),
  };
}

/** The minute of an instant. Delegations begin and end with whole minutes, so each instant of one has the same delegates. */
function minuteAround(instant: Instant): TimeSpan {
  const from = Math.floor(instant / millisecondsInMinute) * millisecondsInMinute;
  return { from, until: from + millisecondsInMinute };
}

/**
 * A day as the readers of this file compare it: in lower case, the day before its month (`Nov 1st, 2026` and `1.11.2026`
 * are `1 nov 2026`), without a weekday before a date.
 */
export function plainDay(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/\b(\d{1,2})(?:st|nd|rd|th)(?: of)? (?=[a-z])/, '$1 ')
    .replace(/\b([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?\b(?![:.]),?/, (text, name: string, day: string) =>
      indexOfName(months, name) < 0 ? text : `${day} ${name}`,
    )
    .replace(
      /\b(\d{1,2})\. ?(\d{1,2})\.(?: ?(\d{4}))?(?!\d)/,
      (text, day: string, month: string, year?: string) => {
        const name = months[Number(month) - 1];
        return name === undefined
          ? text
          : `${day} ${name.toLowerCase()}${year === undefined ? '' : ` ${year}`}`;
      },
    )
    .replace(/^([a-z]{3,9}),? (?=\d{1,2}\.? [a-z])/, (text, name: string) =>
      indexOfName(weekdays, name) < 0 ? text : '',
    );
}

function readWholeDay(typed: string, today: number): number | null {
  const read = readDay(typed, today);
  return read === null || read.time !== null ? null : read.day;
}

/** Feasts by their names, as days of a month. */
const feasts: ReadonlyMap<string, string> = new Map([
  ['christmas eve', '24 dec'],
  ['christmas', '25 dec'],
  ['christmas day', '25 dec'],
  ['xmas', '25 dec'],
  ['new years eve', '31 dec'],
  ['new year', '1 jan'],
  ['new years', '1 jan'],
  ['new years day', '1 jan'],
]);

function dayOfWords(text: string, today: number): number | null {
  if (text === 'today') return today;
  if (text === 'tomorrow') return today + millisecondsInDay;
  const feast = feasts.get(text.replaceAll(/['’]/g, ''));
  if (feast !== undefined) return dayOfMonth(feast, today);
  return readIsoDay(text) ?? nextWeekday(text, today) ?? daysAhead(text, today) ?? dayOfMonth(text, today);
}

/** The next day of a weekday's name, today included; `next` is that of the next ISO week. */
function nextWeekday(text: string, today: number): number | null {
  const [, next, name = ''] = /^(next )?(\w+)$/.exec(text) ?? [];
  const wanted = indexOfName(weekdays, name);
  if (wanted < 0) return null;
  const ahead = wanted - weekdayOf(today);
  return today + millisecondsInDay * (next === undefined ? (ahead + 7) % 7 : ahead + 7);
}

function daysAhead(text: string, today: number): number | null {
  const [, count] = /^in (\d{1,4}) days?$/.exec(text) ?? [];
  return count === undefined ? null : today + Number(count) * millisecondsInDay;
}

/** The wall day of a text such as `24 Dec`: the next one, today included, or that of the year named. */
function dayOfMonth(text: string, today: number): number | null {
  const [, day, name = '', year] = /^(\d{1,2})\.? ([a-z]+)(?: (\d{4}))?$/.exec(text) ?? [];
  const month = indexOfName(months, name) + 1;
  if (day === undefined || month === 0) return null;
  if (year !== undefined) return wallTimeOf([Number(year), month, Number(day)]);
  return nearestYear(today, 1, (year) => {
    const at = wallTimeOf([year, month, Number(day)]);
    return at !== null && at >= today ? at : null;
  });
}

/** The first day found in the year of today or one of the next eight, ahead or back; null when none is. */
function nearestYear(today: number, step: 1 | -1, find: (year: number) => number | null): number | null {
  for (let years = 0; years <= LEAP_CYCLE_YEARS; years += 1) {
    const found = find(yearOf(today) + step * years);
    if (found !== null) return found;
  }
  return null;
}

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

/** An ISO week as people name it; the year is null where they leave it out. */
export interface NamedWeek {
  readonly year: number | null;
  readonly number: number;
}

/** A year with a week 53 comes at least every seven years. */
const MAX_YEARS = 7;

/** Reads `2026-W46`, `W46`, `week 46` and `CW 46`; null for other text. */
export function readWeekName(typed: string): NamedWeek | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, year, ofYear, alone] =
    /^(?:(\d{4})-?w(\d{1,2})|(?:w|(?:calendar )?week |cw ?|kw ?)(\d{1,2}))$/.exec(text) ?? [];
  const number = ofYear ?? alone;
  if (number === undefined) return null;
  return { year: year === undefined ? null : Number(year), number: Number(number) };
}

/**
 * The Monday (a wall day) of a named week. Without a year it is the last such week that has begun (`past`), or the next
 * that is not over (`ahead`). Null where there is none.
 */
export function mondayOf(
  { year, number }: NamedWeek,
  today: number,
  direction: 'past' | 'ahead',
): number | null {
  if (year !== null) return isoMonday(year, number);
  const step = direction === 'past' ? -1 : 1;
  // The first days of a week can be in the year before its own, and its last days in the year after.
  for (let years = -1; years <= MAX_YEARS; years += 1) {
    const monday = isoMonday(yearOf(today) + step * years, number);
    if (monday === null) continue;
    if (direction === 'past' ? monday <= today : monday + millisecondsInWeek > today) return monday;
  }
  return null;
}
