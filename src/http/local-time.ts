import { TZDate } from '@date-fns/tz';
import { badRequest } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/;

/**
 * `yyyy-MM-dd` or `yyyy-MM-dd HH:mm` read in a zone; a missing time is 00:00. A time the clocks skip is moved
 * forward by the gap, of a time that comes twice the first is meant.
 */
export function localTime(name: string, text: string, timeZone: string): Instant {
  const parts = pattern.exec(text.trim());
  const [year, month, day, hour, minute] = (parts ?? []).slice(1).map((part) => Number(part ?? 0));
  const exists =
    year !== undefined &&
    new Date(Date.UTC(year, (month ?? 0) - 1, day)).getUTCDate() === day &&
    (month ?? 0) <= 12 &&
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60;
  if (!exists || year === undefined) {
    throw badRequest(`${name} '${text}' is not a date; allowed: yyyy-MM-dd or yyyy-MM-dd HH:mm.`);
  }
  return new TZDate(year, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, timeZone).getTime();
}
