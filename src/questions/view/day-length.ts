import { millisecondsInDay } from 'date-fns/constants';
import { shorten } from '../../block-kit/shorten.ts';
import type { DurationUnit } from '../../model/question.ts';
import type { CalendarFacts } from '../../model/table.ts';
import { durationWords } from '../../output/duration-text.ts';

/** Names of calendars are short; this keeps a line whole when one is not. */
const NAME_LENGTH = 80;

/**
 * How long a day (ms) is in words about durations: from midnight to midnight where the calendar is 24/7, else the mean of
 * its working days, so that a shorter Friday does not turn days into hours. Endless where hours are asked for.
 */
export function dayMsOf({ continuous, dailyMs, unit }: CalendarFacts): number {
  if (unit === 'hours') return Number.POSITIVE_INFINITY;
  if (continuous) return millisecondsInDay;
  return dailyMs > 0 ? dailyMs : Number.POSITIVE_INFINITY;
}

/** What was measured with a calendar, to be shown in a unit. */
export function calendarIn<T extends { readonly calendar: CalendarFacts }>(one: T, unit: DurationUnit): T {
  return { ...one, calendar: { ...one.calendar, unit } };
}

/** How long a day is, such as `1d = 7h 27m`; null where it is 24 hours, or where no durations are in days. */
export function dayNote(calendar: CalendarFacts): string | null {
  const dayMs = dayMsOf(calendar);
  return calendar.continuous || dayMs === Number.POSITIVE_INFINITY
    ? null
    : `1d = ${durationWords(dayMs, dayMs * 2)}`;
}

/** Which hours count, in a few words: `hours 24/7`, `working hours Berlin (1d = 7h 27m)`. `words` writes the name. */
export function hoursText(calendar: CalendarFacts, words: (text: string) => string): string {
  if (calendar.continuous) return 'hours 24/7';
  const note = dayNote(calendar);
  return `working hours ${words(shorten(calendar.name, NAME_LENGTH))}${note === null ? '' : ` (${note})`}`;
}
