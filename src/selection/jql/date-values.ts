import {
  millisecondsInDay,
  millisecondsInHour,
  millisecondsInMinute,
  millisecondsInWeek,
} from 'date-fns/constants';
import type { RowPredicate } from '../../engine/columns/row-predicates.ts';
import type { Instant } from '../../model/issue.ts';
import type { TimePeriod } from '../../model/request.ts';
import { readInstant, readIsoDay, wallTimeOf } from '../../time/date-text.ts';
import { addPeriods, startOfPeriod } from '../../time/periods.ts';
import { dayAt, instantOf } from '../../time/wall-clock.ts';
import { checkArguments, dateFunctions, functionCalled } from './functions.ts';
import type { Compilation } from './jql.ts';
import { type CallOperand, pieceError } from './query-tree.ts';
import {
  holds,
  type Item,
  itemId,
  type NonEmptyOperand,
  type Sign,
  type Values,
  type Window,
} from './values.ts';

/**
 * Dates. An instant equals a written one when it lies in the same minute, because a query can name no seconds; before
 * and after are exact. A date without a time of day, such as a due date, is compared by the principal's local day, as
 * Jira does: `due <= now()` includes what is due today. `within` makes the predicate of instants that columns have.
 */
export function dateValues(
  compilation: Compilation,
  title: string,
  within: ((window: Window) => RowPredicate) | null = null,
): Values {
  const read = (operand: NonEmptyOperand) => readMoment(operand, title, compilation);
  return {
    equal: (operand) => {
      const moment = read(operand);
      const minute = Math.floor(moment.at / millisecondsInMinute);
      return (item) => {
        const date = dateOf(item);
        return date.whole ? date.at === moment.day : Math.floor(date.at / millisecondsInMinute) === minute;
      };
    },
    compare: (sign, operand) => {
      const moment = read(operand);
      return (item) => {
        const { at, whole } = dateOf(item);
        return holds(sign, at - (whole ? moment.day : moment.at));
      };
    },
    ...(within === null ? {} : { plain: (sign, operand) => within(instantsThat(sign, read(operand).at)) }),
    sortKey: (item) => dateOf(item).at,
    descending: true,
  };
}

/** Instants that equal another one, or come before or behind it; in whole ms. */
function instantsThat(sign: Sign | '=', at: Instant): Window {
  const always = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  const minute = Math.floor(at / millisecondsInMinute) * millisecondsInMinute;
  switch (sign) {
    case '=':
      return { ...always, from: minute, until: minute + millisecondsInMinute };
    case '<':
      return { ...always, until: at };
    case '<=':
      return { ...always, until: at + 1 };
    case '>':
      return { ...always, from: at + 1 };
    case '>=':
      return { ...always, from: at };
  }
}

/** Returns true for a date, with or without the time of day and its offset. */
export function isDate(text: string): boolean {
  return datePattern.test(text);
}

interface DateContent {
  /** Epoch ms; of a whole day, ms of its midnight read as UTC. NaN for what is no date: it compares with nothing. */
  readonly at: number;
  readonly whole: boolean;
}

const datePattern = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[-+]\d{2}:?\d{2}))?$/;

function dateOf(item: Item): DateContent {
  if (typeof item === 'number') return { at: item, whole: false };
  const text = itemId(item);
  const day = readIsoDay(text);
  if (day !== null) return { at: day, whole: true };
  const at = text.includes(' ') ? null : readInstant(text);
  return { at: at?.instant ?? Number.NaN, whole: false };
}

/** An instant a query names. */
export interface Moment {
  readonly at: Instant;
  /** The wall day it lies on in the principal's zone, as ms of its midnight read as UTC. */
  readonly day: number;
  /** Written with hours and minutes. */
  readonly timed: boolean;
}

/**
 * Reads a date: `"2026-01-31"` and `"2026/01/31"` (midnight, as Jira documents), either with ` 14:30`, a period before
 * or after now, or a date function; all in the principal's zone.
 */
export function readMoment(operand: NonEmptyOperand, title: string, compilation: Compilation): Moment {
  const { world, name } = compilation;
  if (operand.kind === 'call') return momentAt(call(operand, title, compilation), false, world.timeZone);
  const period = readPeriod(operand.text);
  if (period !== null) return momentAt(world.now + period, false, world.timeZone);
  const [, year, month, day, hour, minute] =
    /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:\s+(\d{1,2}):(\d{2}))?$/
      .exec(operand.text.trim())
      ?.toSpliced(2, 1) ?? [];
  const parts = [year, month, day, hour ?? '0', minute ?? '0'].map(Number);
  // No tracker is that old, and years like 26 are slips.
  const wall = Number(year) >= 100 ? wallTimeOf(parts) : null;
  if (wall === null) {
    throw pieceError(
      name,
      operand,
      `is not a date, as ${title} needs. Try: "2026-01-31", "2026/01/31", either with " 14:30", a period such as -4w, 5d or "-1w 2d" (w, d, h, m), or a date function such as startOfDay().`,
    );
  }
  return momentAt(instantOf(wall, world.timeZone), hour !== undefined, world.timeZone);
}

function momentAt(at: Instant, timed: boolean, timeZone: string): Moment {
  return { at, day: dayAt(at, timeZone), timed };
}

/**
 * The instant of a date function: now, or the start or the last millisecond of the period that now lies in, by the wall
 * clock of the zone. Weeks begin on Monday. An offset moves the boundary itself, so that `endOfMonth("+1")` is the end of
 * next month however long this one is.
 */
function call(operand: CallOperand, title: string, compilation: Compilation): Instant {
  const { world, name } = compilation;
  const called = functionCalled(operand, dateFunctions, { compilation, title, inList: true });
  if (called === 'now') {
    checkArguments(operand, compilation, 0);
    return world.now;
  }
  checkArguments(operand, compilation, 0, 1);
  const edge = called.startsWith('start') ? 'start' : 'end';
  const { period, own } = edges[called.slice(`${edge}of`.length)] ?? {
    period: 'Day',
    own: { count: 1, unit: 'd' },
  };
  const [argument] = operand.args;
  const offset = argument === undefined ? null : readOffset(argument.text, own);
  if (argument !== undefined && offset === null) {
    throw pieceError(
      name,
      argument,
      'does not move a date. Try: a number with one of the units y, M, w, d, h, m, such as "-1w", or without one.',
    );
  }
  const start = startOfPeriod(dayAt(world.now, world.timeZone), period);
  const boundary = edge === 'start' ? start : addPeriods(start, period, 1);
  const at = moveWall(boundary, offset ?? { count: 0, unit: 'd' }, world.timeZone);
  return edge === 'start' ? at : at - 1;
}

/** The periods of `startOf…` and `endOf…`, by their names in lower case, with the unit of a bare number. */
const edges: Readonly<Record<string, Edge>> = {
  day: { period: 'Day', own: { count: 1, unit: 'd' } },
  week: { period: 'Week', own: { count: 1, unit: 'w' } },
  month: { period: 'Month', own: { count: 1, unit: 'M' } },
  quarter: { period: 'Quarter', own: { count: 3, unit: 'M' } },
  year: { period: 'Year', own: { count: 1, unit: 'y' } },
};

interface Edge {
  readonly period: TimePeriod;
  readonly own: Offset;
}

type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm';
const exact: Readonly<Record<string, number>> = {
  w: millisecondsInWeek,
  d: millisecondsInDay,
  h: millisecondsInHour,
  m: millisecondsInMinute,
};

/** Three thousand years: anything further away is a slip, and may lie outside what a date can hold. */
const MAX_PERIOD_MS = 3_000 * 366 * millisecondsInDay;
const roughly: Readonly<Record<string, number>> = {
  ...exact,
  M: 31 * millisecondsInDay,
  y: 366 * millisecondsInDay,
};

/**
 * A period relative to now, such as `-4w`, `5d` or `-1w 2d`, in ms; null if the text is none. Units are w, d, h and m
 * as in Jira; a day is 24 hours even where the clock is put forward, and the sign holds for the whole period.
 */
function readPeriod(text: string): number | null {
  const [, sign, parts] = /^([-+]?)\s*(\d+[wdhm](?:\s*\d+[wdhm])*)$/.exec(text.trim()) ?? [];
  if (parts === undefined) return null;
  let length = 0;
  for (const [, count, unit] of parts.matchAll(/(\d+)([wdhm])/g)) {
    length += Number(count) * (exact[unit ?? ''] ?? 0);
  }
  if (length > MAX_PERIOD_MS) return null;
  return sign === '-' ? -length : length;
}

interface Offset {
  readonly count: number;
  readonly unit: Unit;
}

/** The argument of a function such as `startOfDay("-1w")`; without a unit it is the function's own. Null if it is none. */
function readOffset(text: string, own: Offset): Offset | null {
  const [, sign, digits, unit] = /^([-+]?)(\d+)([yMwdhm]?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits) * (sign === '-' ? -1 : 1);
  const offset = isUnit(unit) ? { count, unit } : { count: count * own.count, unit: own.unit };
  return Math.abs(offset.count) * (roughly[offset.unit] ?? 0) > MAX_PERIOD_MS ? null : offset;
}

function isUnit(text: string | undefined): text is Unit {
  return text !== undefined && Object.hasOwn(roughly, text);
}

/**
 * A wall time moved by an offset, as an instant. Years, months, weeks and days move the wall clock (the last day of a
 * shorter month stands for those it lacks); hours and minutes are time that really passes.
 */
function moveWall(wall: number, { count, unit }: Offset, timeZone: string): Instant {
  if (unit === 'h' || unit === 'm') return instantOf(wall, timeZone) + count * (exact[unit] ?? 0);
  if (unit === 'w' || unit === 'd') return instantOf(wall + count * (exact[unit] ?? 0), timeZone);
  return instantOf(addPeriods(wall, unit === 'y' ? 'Year' : 'Month', count), timeZone);
}
