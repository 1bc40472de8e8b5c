import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Calendar } from '../../time/calendar.ts';
import { dayOf, isWeekday, wallOf } from '../../time/wall-clock.ts';

/** Of a calendar that never rests: from then to then, so that nobody is woken. */
const [BEGIN_HOUR, END_HOUR] = [8, 18];

/**
 * Whether people may be told now: in the working hours of a calendar; of one in which every hour counts, from 8:00 to
 * 18:00 on weekdays of the zone.
 */
export function isTellingTime(calendar: Calendar, timeZone: string, now: Instant): boolean {
  if (!calendar.continuous) return calendar.between(now, now + millisecondsInMinute) > 0;
  const wall = wallOf(now, timeZone);
  const hour = Math.floor((wall - dayOf(wall)) / millisecondsInHour);
  return isWeekday(wall) && hour >= BEGIN_HOUR && hour < END_HOUR;
}
