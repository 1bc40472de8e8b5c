import { tzOffset } from '@date-fns/tz';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Office } from './office.ts';

/** A half-open stretch of time. */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
}

/** The office's working hours between two UTC midnights, in order. */
export function officeHours(office: Office, from: Instant, until: Instant): Span[] {
  const holidays = new Set(office.holidays.map(({ date }) => Date.parse(date)));
  const spans: Span[] = [];
  for (let day = from; day < until; day += millisecondsInDay) {
    if (holidays.has(day)) continue;
    const midnight = localMidnight(office.timeZone, day);
    for (const shift of office.shifts) {
      if (shift.weekday !== isoWeekday(day)) continue;
      spans.push({
        from: midnight + shift.from * millisecondsInMinute,
        until: midnight + shift.until * millisecondsInMinute,
      });
    }
  }
  return spans;
}

/**
 * Where the local day of this date would begin, going by the offset at noon: clocks change at night, and
 * nobody here works across a change.
 */
export function localMidnight(timeZone: string, day: Instant): Instant {
  return day - tzOffset(timeZone, new Date(day + millisecondsInDay / 2)) * millisecondsInMinute;
}

/** 1 is Monday, 7 is Sunday; `day` is a UTC midnight, and the first day of the epoch was a Thursday. */
export function isoWeekday(day: Instant): number {
  return ((((day / millisecondsInDay + 3) % 7) + 7) % 7) + 1;
}
