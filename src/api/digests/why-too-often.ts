import { millisecondsInHour } from 'date-fns/constants';
import type { Schedule } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import { fireTimes } from '../../time/cron.ts';

/** More often nobody reads what an app says. */
const LEAST_MS = millisecondsInHour;
/** As many fires as show every pause of a schedule whose minutes and hours repeat daily. */
const LOOKED_AT = 50;

/** Why a schedule that fires is too much, in a sentence; null: it is not. */
export function whyTooOften(schedule: Schedule, after: Instant): string | null {
  // Where clocks are changed, two times of day may for once come close together.
  const times = fireTimes({ ...schedule, timeZone: 'UTC' }, after, LOOKED_AT);
  const isTooOften = times.some((at, i) => i > 0 && at - (times[i - 1] ?? 0) < LEAST_MS);
  if (!isTooOften) return null;
  return `schedule '${schedule.cron}' is due more often than once an hour; allowed: at most once an hour.`;
}
