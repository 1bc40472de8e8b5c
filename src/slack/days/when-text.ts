import { shownDay } from './day-span.ts';
import { dayText, typedDayText } from './day-text.ts';
import type { TypedDay } from './read-day.ts';

/** Whose clocks are meant, and whether they are surely those of who asks; others are named. */
export interface Clocks {
  readonly timeZone: string;
  readonly zoneFromTracker: boolean;
}

/** What a question is about, in words: now, a day, or a time, which is told as the clocks show it. */
export function whenText(
  typed: TypedDay | null,
  today: number,
  { timeZone, zoneFromTracker }: Clocks,
): string {
  if (typed === null) return `now (${dayText(today)}${zoneFromTracker ? '' : `, ${timeZone}`})`;
  const day = typedDayText(shownDay(typed, timeZone));
  return typed.time === null && zoneFromTracker ? `on ${day}` : `on ${day} (${timeZone})`;
}
