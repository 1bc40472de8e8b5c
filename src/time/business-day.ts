import { millisecondsInDay } from 'date-fns/constants';
import type { WorkingTime } from '../model/settings.ts';
import { weeklyShifts } from './weekly-shifts.ts';

/** How long a business day is on the wall clock, in ms; the mean where working days differ. */
export interface BusinessDay {
  readonly dailyMs: number;
  readonly equalDays: boolean;
  /** All seven days are business days of 24 hours. */
  readonly wholeWeek: boolean;
}

/**
 * The length of the days on which shifts start. What runs into the next day belongs to the day it starts, and what
 * overlaps is counted once, for the shift that started first.
 */
export function businessDay(workingTimes: readonly WorkingTime[]): BusinessDay {
  const lengths = dayLengths(workingTimes);
  const working = lengths.filter((length) => length > 0);
  const sum = working.reduce((total, length) => total + length, 0);
  return {
    dailyMs: working.length === 0 ? 0 : Math.round(sum / working.length),
    equalDays: working.every((length) => length === working[0]),
    wholeWeek: sum === 7 * millisecondsInDay,
  };
}

/** Goes through two weeks and tells the second, so that Monday knows what Sunday left running. */
function dayLengths(workingTimes: readonly WorkingTime[]): number[] {
  const week = weeklyShifts(workingTimes);
  let covered = 0;
  return [...week, ...week]
    .map((shifts, day) => {
      let length = 0;
      for (const shift of shifts) {
        const [start, end] = [day * millisecondsInDay + shift.start, day * millisecondsInDay + shift.end];
        length += Math.max(0, end - Math.max(start, covered));
        covered = Math.max(covered, end);
      }
      return length;
    })
    .slice(7);
}
