import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import type { TimePeriod } from '../model/request.ts';
import { firstInstantFrom, wallOf } from './zone.ts';

/** A day, week, month, quarter or year of a zone: from its first local midnight to the next period's. */
export interface Period {
  readonly id: string;
  readonly title: string;
  readonly start: Instant;
  readonly end: Instant;
}

/** The period an instant lies in. Weeks are those of ISO 8601: they begin on Monday and are numbered by their Thursday. */
export function periodAt(instant: Instant, period: TimePeriod, timeZone: string): Period {
  let wall = wallPeriod(wallOf(instant, timeZone), period);
  let end = firstInstantFrom(wall.end, timeZone);
  // Clocks put back over midnight show the evening before once more, when the new period has already begun.
  while (end <= instant) {
    wall = wallPeriod(wall.end, period);
    end = firstInstantFrom(wall.end, timeZone);
  }
  return { id: wall.id, title: wall.id, start: firstInstantFrom(wall.start, timeZone), end };
}

/** The same on the wall clock. */
function wallPeriod(wall: number, period: TimePeriod): { id: string; start: number; end: number } {
  const midnight = Math.floor(wall / millisecondsInDay) * millisecondsInDay;
  const date = new Date(midnight);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (period) {
    case 'Day':
      return { id: date.toISOString().slice(0, 10), start: midnight, end: midnight + millisecondsInDay };
    case 'Week': {
      const monday = mondayBefore(midnight);
      return { id: weekId(monday), start: monday, end: monday + 7 * millisecondsInDay };
    }
    case 'Month':
      return {
        id: date.toISOString().slice(0, 7),
        start: Date.UTC(year, month),
        end: Date.UTC(year, month + 1),
      };
    case 'Quarter': {
      const first = month - (month % 3);
      return {
        id: `${year}-Q${first / 3 + 1}`,
        start: Date.UTC(year, first),
        end: Date.UTC(year, first + 3),
      };
    }
    case 'Year':
      return { id: String(year), start: Date.UTC(year, 0), end: Date.UTC(year + 1, 0) };
  }
}

function weekId(monday: number): string {
  const year = new Date(monday + 3 * millisecondsInDay).getUTCFullYear();
  // The week of January 4 is the first of its year.
  const first = mondayBefore(Date.UTC(year, 0, 4));
  const week = (monday - first) / (7 * millisecondsInDay) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function mondayBefore(midnight: number): number {
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * millisecondsInDay;
}
