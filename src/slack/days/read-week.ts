import { millisecondsInDay } from 'date-fns/constants';
import { allowedDates, readDay } from './read-day.ts';

/** What `readWeek` takes, for who typed something else. */
export const allowedWeeks = `\`this week\`, \`next week\`, \`last week\`, or a day of the week: ${allowedDates}`;

const WEEKS = new Map([
  ['', 0],
  ['this week', 0],
  ['next week', 7],
  ['last week', -7],
]);

/** A day of the week that is meant, counted from `today` (a midnight of the wall clock); null for anything else. */
export function readWeek(typed: string, today: number): number | null {
  const days = WEEKS.get(typed.trim().toLowerCase().replace(/\s+/g, ' '));
  if (days !== undefined) return today + days * millisecondsInDay;
  const read = readDay(typed, today);
  return read === null || read.time !== null ? null : read.day;
}
