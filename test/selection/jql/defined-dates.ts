import type { SingleOperand } from '../../../src/selection/jql/query-tree.ts';
import type { DefinedWorld } from './whole-issue.ts';

const QUARTER = 15 * 60_000;
const HOUR = 4 * QUARTER;

/** An instant that a query names; `timed`: it is written with a time of day. */
export interface NamedInstant {
  readonly at: number;
  readonly timed: boolean;
}

const units: Readonly<Record<string, number>> = { w: 168 * HOUR, d: 24 * HOUR, h: HOUR, m: HOUR / 60 };

/** Reads a date, a period before or after now, or a function of a day or week. */
export function readDate(value: SingleOperand, { now, timeZone }: DefinedWorld): NamedInstant {
  if (value.kind === 'empty') throw new Error('EMPTY is no date.');
  if (value.kind === 'value') {
    const text = value.text.replaceAll('/', '-');
    const [, sign, count, unit] = /^([-+]?)(\d+)([wdhm])$/.exec(text) ?? [];
    const length = Number(count) * (units[unit ?? ''] ?? 0);
    if (unit !== undefined) return { at: now + (sign === '-' ? -length : length), timed: false };
    const timed = text.includes(':');
    return { at: instantOfText(timed ? text : `${text} 00:00`, timeZone), timed };
  }
  const called = value.called.text;
  if (called === 'now') return { at: now, timed: false };
  const [, edge, period] = /^(start|end)Of(Day|Week)$/.exec(called) ?? [];
  if (period === undefined) throw new Error(`${called}() is not defined.`);
  const today = dayOf(now, timeZone);
  const weekday = (new Date(`${today}T00:00Z`).getUTCDay() + 6) % 7;
  const length = period === 'Week' ? 7 : 1;
  const offset = Number(value.args[0]?.text ?? 0);
  const days = (period === 'Week' ? -weekday : 0) + offset * length;
  return edge === 'start'
    ? { at: midnightOf(today, days, timeZone), timed: false }
    : { at: midnightOf(today, days + length, timeZone) - 1, timed: false };
}

/** When a day begins that comes some days after another. */
export function midnightOf(day: string, days: number, timeZone: string): number {
  return instantOfText(`${addDays(day, days)} 00:00`, timeZone);
}

/** The day of an instant, as `2026-03-29`. */
export function dayOf(at: number, timeZone: string): string {
  return localText(at, timeZone).slice(0, 10);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * 24 * HOUR).toISOString().slice(0, 10);
}

/** Looks for the instant at which the local clock shows a text; one that it skips is a day after the day before. */
function instantOfText(text: string, timeZone: string): number {
  const around = Date.parse(`${text.replace(' ', 'T')}Z`);
  for (let at = around - 15 * HOUR; at <= around + 15 * HOUR; at += QUARTER) {
    if (localText(at, timeZone) === text) return at;
  }
  return instantOfText(`${addDays(text.slice(0, 10), -1)}${text.slice(10)}`, timeZone) + 24 * HOUR;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-29 14:30`, as the clock on the wall shows it. */
function localText(at: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(at);
}
