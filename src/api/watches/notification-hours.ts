import { millisecondsInDay } from 'date-fns/constants';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarOf } from '../../time/calendar.ts';
import { minuteText } from '../../time/iso-dates.ts';
import { daysLater, nextWorkingDay, weekdaysLater } from '../../time/working-days.ts';
import type { SnoozeEnd } from './watches-api.ts';

const MOST_DAYS = 30;

/**
 * When a snooze that begins now ends: the same time of a later day on the clocks of the zone, whatever is done to the
 * clocks between. A `bad-request` for what is over already, or more than 30 days on.
 */
export function snoozeEnd(
  ends: SnoozeEnd,
  { calendar, timeZone, now }: Hours & { readonly now: Instant },
): Instant {
  const until = instantOf(ends, { calendar, timeZone }, now);
  if (until !== null && until > now && until <= now + MOST_DAYS * millisecondsInDay) return until;
  const named = until === null ? 'never' : minuteText(until);
  throw badRequest(
    `The end '${named}' is not allowed; allowed: a time to come, at most ${MOST_DAYS} days from now.`,
  );
}

/** Null: the calendar of the watch is gone, and weekdays count. */
interface Hours {
  readonly calendar: CalendarDefinition | null;
  readonly timeZone: string;
}

function instantOf(ends: SnoozeEnd, { calendar, timeZone }: Hours, now: Instant): Instant | null {
  switch (ends.by) {
    case 'instant':
      return ends.until;
    case 'day':
      return daysLater(1, now, timeZone);
    case 'week':
      return daysLater(7, now, timeZone);
    case 'workingDays': {
      // In a 24/7 calendar people are not told on Saturdays and Sundays either.
      if (calendar === null || calendarOf(calendar).continuous)
        return weekdaysLater(ends.days, now, timeZone);
      let at: Instant | null = now;
      for (let day = 0; day < ends.days && at !== null; day += 1) at = nextWorkingDay(calendar, at, timeZone);
      return at;
    }
  }
}
