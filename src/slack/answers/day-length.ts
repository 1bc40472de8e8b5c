import { DAY_MS, durationWords } from '../../formats/duration-text.ts';
import type { CalendarFacts } from '../../model/table.ts';

/** How long a day is in words about durations (ms): a working day where all are equal, else 24 hours. */
export function dayMsOf({ continuous, equalDays, dailyMs }: CalendarFacts): number {
  return !continuous && equalDays && dailyMs > 0 ? dailyMs : DAY_MS;
}

/** What a day means there, where it is not the time from midnight to midnight; else null. */
export function dayNote(calendar: CalendarFacts): string | null {
  if (calendar.continuous) return null;
  const dayMs = dayMsOf(calendar);
  return dayMs === DAY_MS ? '1d is 24h of working time' : `1d is a working day of ${durationWords(dayMs)}`;
}
