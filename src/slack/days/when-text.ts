import { shownDay } from './day-span.ts';
import { dayText, typedDayText } from './day-text.ts';
import type { TypedDay } from './read-day.ts';

/** What a question is about, in words: now, a day, or a time, which is told as the clocks of the zone show it. */
export function whenText(typed: TypedDay | null, today: number, timeZone: string): string {
  return typed === null ? `now (${dayText(today)})` : `on ${typedDayText(shownDay(typed, timeZone))}`;
}
