import { fullDayText, typedDayText } from '../../time/day-text.ts';
import { shownDay, type TypedDay } from '../../time/day-words.ts';

/** What `readDay` takes as a day, for who typed something else. */
const allowedDates =
  '`today`, `tomorrow`, `friday` (the next one, today included), `next friday` (of next week), `in 3 days`, `24 Dec`, `24 Dec 2026`, `2026-12-24`';

/** The same with its time. */
export const allowedDays = `${allowedDates}, each with a time behind it if you like: \`2026-12-24 14:00\``;

/** What `readDayOfWeek` takes. */
export const allowedDaysOfWeek = `\`this week\`, \`next week\`, \`last week\`, or a day of the week: ${allowedDates}`;

/** What `readPastDay` takes. */
export const allowedPastDays = 'today, yesterday, monday (the last one), 3 days ago, 24 Dec, 2026-11-01';

/** What a question is about, in words: now, a day, or a time as the clocks of the zone show it. */
export function whenText(typed: TypedDay | null, today: number, timeZone: string): string {
  return typed === null ? `now (${fullDayText(today)})` : `on ${typedDayText(shownDay(typed, timeZone))}`;
}
