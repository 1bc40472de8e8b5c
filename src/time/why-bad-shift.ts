import { millisecondsInDay } from 'date-fns/constants';
import { type WorkingTime, weekdays } from '../model/settings.ts';

/** What is wrong with a shift, as sentences; `place` is where it was given. */
export function whyBadShift({ weekday, start, end }: WorkingTime, place: string): string[] {
  const known: readonly string[] = weekdays;
  const why = known.includes(weekday)
    ? []
    : [`${place}.weekday '${weekday}' is not a weekday; allowed: ${weekdays.join(', ')}.`];
  // A shift that started at 24:00 would belong to one day and be worked on the next.
  if (!isWholeUpTo(millisecondsInDay - 1, start))
    why.push(wrongTime(`${place}.start`, start, millisecondsInDay - 1));
  if (!isWholeUpTo(millisecondsInDay, end)) why.push(wrongTime(`${place}.end`, end, millisecondsInDay));
  return why;
}

function isWholeUpTo(most: number, value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most;
}

function wrongTime(name: string, value: number, most: number): string {
  return `${name} '${value}' is not a time of day in whole milliseconds; allowed: 0 to ${most}.`;
}
