import type { Instant } from '../../model/issue.ts';
import { readInstant } from '../../time/iso-dates.ts';

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
  // Jira writes no blanks.
  return typeof value === 'string' && !value.includes(' ') ? (readInstant(value)?.instant ?? null) : null;
}
