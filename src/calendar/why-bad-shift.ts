import { type WorkingTime, weekdays } from '../model/settings.ts';

const DAY_MS = 86_400_000;

/** What is wrong with a shift, as sentences; `place` is where it was given. */
export function whyBadShift({ weekday, start, end }: WorkingTime, place: string): string[] {
  const known: readonly string[] = weekdays;
  const why = known.includes(weekday)
    ? []
    : [`${place}.weekday '${weekday}' is not a weekday; allowed: ${weekdays.join(', ')}.`];
  // A shift that started at 24:00 would belong to one day and be worked on the next.
  if (!isWholeUpTo(DAY_MS - 1, start)) why.push(wrongTime(`${place}.start`, start, DAY_MS - 1));
  if (!isWholeUpTo(DAY_MS, end)) why.push(wrongTime(`${place}.end`, end, DAY_MS));
  return why;
}

function isWholeUpTo(most: number, value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most;
}

function wrongTime(name: string, value: number, most: number): string {
  return `${name} '${value}' is not a time of day in whole milliseconds; allowed: 0 to ${most}.`;
}
