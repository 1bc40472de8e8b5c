import type { Schedule } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { fireTimes } from '../../time/cron.ts';
import { periodOf } from './plan-periods.ts';

/** So many periods are looked at, of which a long holiday may leave all out. */
const MOST_LOOKED_AT = 200;

/**
 * When the next periods that fall due after an instant are told, as they will be planned: one that falls on a day off
 * comes on the next working day, unless another follows before. Fewer than `count` where hardly any day is worked on.
 */
export function toldTimes(
  { schedule, calendar }: { readonly schedule: Schedule; readonly calendar: CalendarDefinition | null },
  after: Instant,
  count: number,
): readonly Instant[] {
  if (calendar === null) return fireTimes(schedule, after, count);
  const told: Instant[] = [];
  let [due] = fireTimes(schedule, after, 1);
  for (let looked = 0; due !== undefined && told.length < count && looked < MOST_LOOKED_AT; looked += 1) {
    const [following]: readonly Instant[] = fireTimes(schedule, due, 1);
    const { notBefore, skipped } = periodOf(due, following ?? null, schedule, calendar);
    if (skipped === null) told.push(notBefore);
    due = following;
  }
  return told;
}
