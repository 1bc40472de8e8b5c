import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Calendar } from '../../time/calendar.ts';
import { wallOf } from '../../time/zone.ts';

/** Of a calendar that never rests: from then to then, so that nobody is woken. */
const [BEGIN_HOUR, END_HOUR] = [8, 18];

/**
 * Whether people may be told now: in the working hours of a calendar; of one in which every hour counts, from 8:00 to
 * 18:00 on weekdays of the zone.
 */
export function isTellingTime(calendar: Calendar, timeZone: string, now: Instant): boolean {
  if (!calendar.continuous) return calendar.between(now, now + millisecondsInMinute) > 0;
  const wall = wallOf(now, timeZone);
  const hour = Math.floor((wall % millisecondsInDay) / millisecondsInHour);
  return isWeekday(wall) && hour >= BEGIN_HOUR && hour < END_HOUR;
}

/** Whether a wall clock shows a day from Monday to Friday. */
export function isWeekday(wall: number): boolean {
  // The first day of 1970 was a Thursday.
  const day = (Math.floor(wall / millisecondsInDay) + 3) % 7;
  return day < 5;
}
