import { DAY_MS, durationWords } from '../../formats/duration-text.ts';
import type { CalendarFacts } from '../../model/table.ts';

/**
 * How long a day is in words about durations (ms): from midnight to midnight where every hour counts, a working day
 * where all are equal. Where they are not, no number of hours is a day: it is endless, so that only hours are told.
 */
export function dayMsOf({ continuous, equalDays, dailyMs }: CalendarFacts): number {
  if (continuous) return DAY_MS;
  return equalDays && dailyMs > 0 ? dailyMs : Number.POSITIVE_INFINITY;
}

/** What a day means there, or that none is told, where it is not the time from midnight to midnight; else null. */
export function dayNote(calendar: CalendarFacts): string | null {
  if (calendar.continuous) return null;
  const dayMs = dayMsOf(calendar);
  if (dayMs === Number.POSITIVE_INFINITY) return 'only working hours count';
  return dayMs === DAY_MS ? '1d is 24h of working time' : `1d is a working day of ${durationWords(dayMs)}`;
}
