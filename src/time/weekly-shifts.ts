import { millisecondsInDay } from 'date-fns/constants';
import { type WorkingTime, weekdays } from '../model/settings.ts';

/** A shift in ms after the midnight of the day it belongs to; the end of a night shift is more than a day. */
export interface WallShift {
  readonly start: number;
  readonly end: number;
}

/** The shifts that start on each day, Monday first, in the order they start. A shift as long as nothing is a whole day. */
export function weeklyShifts(workingTimes: readonly WorkingTime[]): WallShift[][] {
  return weekdays.map((day) =>
    workingTimes
      .filter(({ weekday }) => weekday === day)
      .map(({ start, end }) => ({ start, end: end > start ? end : end + millisecondsInDay }))
      .sort((a, b) => a.start - b.start),
  );
}
