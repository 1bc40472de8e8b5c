import type { Instant } from '../../model/issue.ts';
import { addMonths, moveWall, nextWallDay, type Offset, wallDay } from './period.ts';

/** What `startOf…` and `endOf…` are called with, in lower case, and by what a bare number moves them. */
export const edgeUnits: Readonly<Record<string, Offset>> = {
  day: { count: 1, unit: 'd' },
  week: { count: 1, unit: 'w' },
  month: { count: 1, unit: 'M' },
  quarter: { count: 3, unit: 'M' },
  year: { count: 1, unit: 'y' },
};

/**
 * The start of the period an instant lies in, or its last millisecond, by the wall clock of the zone. Weeks begin on
 * Monday. An offset moves the boundary itself, so that `endOfMonth("+1")` is the end of next month however long this
 * one is.
 */
export function edgeOf(
  edge: 'start' | 'end',
  period: string,
  now: Instant,
  { offset, timeZone }: { readonly offset: Offset | null; readonly timeZone: string },
): Instant {
  const start = startOf(period, wallDay(now, timeZone));
  const boundary = edge === 'start' ? start : next(period, start);
  const at = moveWall(boundary, offset ?? { count: 0, unit: 'd' }, timeZone);
  return edge === 'start' ? at : at - 1;
}

function startOf(period: string, day: number): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (period) {
    case 'week':
      return Date.UTC(year, month, date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    case 'month':
      return Date.UTC(year, month, 1);
    case 'quarter':
      return Date.UTC(year, month - (month % 3), 1);
    case 'year':
      return Date.UTC(year, 0, 1);
    default:
      return day;
  }
}

function next(period: string, start: number): number {
  switch (period) {
    case 'week':
      return start + 7 * (nextWallDay(start) - start);
    case 'month':
      return addMonths(start, 1);
    case 'quarter':
      return addMonths(start, 3);
    case 'year':
      return addMonths(start, 12);
    default:
      return nextWallDay(start);
  }
}
