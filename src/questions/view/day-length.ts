import { millisecondsInDay } from 'date-fns/constants';
import type { DurationUnit } from '../../model/question.ts';
import type { CalendarFacts } from '../../model/table.ts';
import { durationWords } from '../../output/duration-text.ts';

/**
 * How long a day is in words about durations (ms): from midnight to midnight where every hour counts, a working day
 * where all are equal. Where they are not, no number of hours is a day: it is endless, so that only hours are told, as
 * where somebody wants hours.
 */
export function dayMsOf({ continuous, equalDays, dailyMs, unit }: CalendarFacts): number {
  if (unit === 'hours') return Number.POSITIVE_INFINITY;
  if (continuous) return millisecondsInDay;
  return equalDays && dailyMs > 0 ? dailyMs : Number.POSITIVE_INFINITY;
}

/** What was measured with a calendar, to be shown in a unit. */
export function calendarIn<T extends { readonly calendar: CalendarFacts }>(one: T, unit: DurationUnit): T {
  return { ...one, calendar: { ...one.calendar, unit } };
}

/** What a day means there, or that none is told, where it is not the time from midnight to midnight; else null. */
export function dayNote(calendar: CalendarFacts): string | null {
  if (calendar.continuous) return null;
  const dayMs = dayMsOf(calendar);
  if (dayMs === Number.POSITIVE_INFINITY) {
    return calendar.unit === 'days'
      ? 'in hours, because working days differ in length here'
      : 'only working hours count';
  }
  return dayMs === millisecondsInDay
    ? '1d is 24h of working time'
    : `1d is a working day of ${durationWords(dayMs)}`;
}
