/** The days of a week as Slack's readers of English write them; ISO weeks begin with Monday. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** The months of a year. */
export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Where a name stands in its list, written out or cut after three letters, whatever its case; -1 for any other word. */
export function indexOfName(names: readonly string[], word: string): number {
  const wanted = word.toLowerCase();
  return names
    .map((name) => name.toLowerCase())
    .findIndex((name) => name === wanted || name.slice(0, 3) === wanted);
}

/** The weekday of a day (midnight as if it were UTC), from 0 for Monday. */
export function weekdayOf(day: number): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}
