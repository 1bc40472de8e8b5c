import type { Instant } from '../../model/issue.ts';
import { instantOf } from '../../time/zone.ts';
import type { Compilation } from '../compilation.ts';
import { refuse } from '../refuse.ts';
import type { CallOperand } from '../syntax/query-tree.ts';
import { checkArguments, dateFunctions, functionCalled } from '../values/call.ts';
import type { Asked } from '../values/values.ts';
import { edgeOf, edgeUnits } from './edge-of.ts';
import { readOffset, readPeriod, wallDay } from './period.ts';

/** An instant a query names. */
export interface Moment {
  readonly at: Instant;
  /** The wall day it lies on in the asker's zone, as ms of its midnight read as UTC. */
  readonly day: number;
  /** Written with hours and minutes. */
  readonly timed: boolean;
}

/**
 * Reads a date: `"2026-01-31"` and `"2026/01/31"` (midnight, as Jira documents), either with ` 14:30`, a period before
 * or after now, or a date function; all in the asker's zone.
 */
export function readMoment(asked: Asked, title: string, compilation: Compilation): Moment {
  const { world, name } = compilation;
  if (asked.kind === 'call') return momentAt(call(asked, title, compilation), false, world.timeZone);
  const period = readPeriod(asked.text);
  if (period !== null) return momentAt(world.now + period, false, world.timeZone);
  const [, year, month, day, hour, minute] =
    /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:\s+(\d{1,2}):(\d{2}))?$/.exec(asked.text.trim())?.toSpliced(2, 1) ??
    [];
  const wall = wallTime([year, month, day, hour ?? '0', minute ?? '0'].map(Number));
  if (wall === null) {
    throw refuse(
      name,
      asked,
      `is not a date, as ${title} needs; allowed: "2026-01-31", "2026/01/31", either with " 14:30", a period such as -4w, 5d or "-1w 2d" (w, d, h, m), or a date function such as startOfDay().`,
    );
  }
  return momentAt(instantOf(wall, world.timeZone), hour !== undefined, world.timeZone);
}

function momentAt(at: Instant, timed: boolean, timeZone: string): Moment {
  return { at, day: wallDay(at, timeZone), timed };
}

/** Null where the calendar has no such day or the clock no such time. */
function wallTime([year = 0, month = 0, day = 0, hour = 0, minute = 0]: readonly number[]): number | null {
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const date = new Date(wall);
  const same =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute;
  return same ? wall : null;
}

function call(asked: CallOperand, title: string, compilation: Compilation): Instant {
  const { world, name } = compilation;
  const called = functionCalled(asked, dateFunctions, { compilation, title, inList: true });
  if (called === 'now') {
    checkArguments(asked, compilation, 0);
    return world.now;
  }
  checkArguments(asked, compilation, 0, 1);
  const edge = called.startsWith('start') ? 'start' : 'end';
  const period = called.slice(`${edge}of`.length);
  const [argument] = asked.args;
  const own = edgeUnits[period] ?? { count: 1, unit: 'd' };
  const offset = argument === undefined ? null : readOffset(argument.text, own);
  if (argument !== undefined && offset === null) {
    throw refuse(
      name,
      argument,
      'does not move a date; allowed: a number with one of the units y, M, w, d, h, m, such as "-1w", or without one.',
    );
  }
  return edgeOf(edge, period, world.now, { offset, timeZone: world.timeZone });
}
