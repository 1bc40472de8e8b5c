import type { Instant } from '../../model/issue.ts';

const pattern = /^(\d{4}-\d\d-)(\d\d)T(\d\d)(:\d\d)(?:(:\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)$/i;

/** The furthest instant from 1970 that a date can hold, either way. */
const FURTHEST_MS = 8.64e15;

/** Numbers below are seconds: as milliseconds they would be before March 1973, and as seconds they reach to 5138. */
const SECONDS_BELOW = 1e11;

/**
 * Jira's instants: text with an offset, which may lack its colon (`+0000`), or a number of epoch milliseconds, or of
 * seconds, as the bulk changelog sends them. Null for anything else, a day or a time of day that does not exist included.
 */
export function parseInstant(value: unknown): Instant | null {
  if (typeof value === 'number') {
    const ms = Math.abs(value) < SECONDS_BELOW ? value * 1000 : value;
    return Math.abs(ms) <= FURTHEST_MS ? Math.trunc(ms) : null;
  }
  if (typeof value !== 'string') return null;
  const parts = pattern.exec(value);
  if (parts === null) return null;
  const [, month, day, hour, minute, second = ':00', fraction = '', offset = 'Z'] = parts;
  const local = new Date(`${month}${day}T${hour}${minute}${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const shift = offsetMs(offset);
  // A date takes 30 February and 24 o'clock for days that follow.
  const exists = local.getUTCDate() === Number(day) && local.getUTCHours() === Number(hour);
  return exists && shift !== null ? local.getTime() - shift : null;
}

function offsetMs(offset: string): number | null {
  if (offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
