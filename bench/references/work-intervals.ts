import { TZDate } from '@date-fns/tz';
import { millisecondsInDay } from 'date-fns/constants';
import { weekdays } from '../../src/model/settings.ts';
import { office } from '../world/office.ts';

/** Working intervals one after the other (epoch ms), and how much work was before each (ms). */
interface WorkIntervals {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly before: Float64Array;
}

/** The office's shifts from one instant to another, without any part of the product's calendar. */
export function workIntervals(from: number, until: number): WorkIntervals {
  const found: (readonly [number, number])[] = [];
  for (
    let day = from - 2 * millisecondsInDay;
    day < until + 2 * millisecondsInDay;
    day += millisecondsInDay
  ) {
    const date = new Date(day);
    const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    const isHoliday = office.holidays.some(
      ({ date: text }) => text.slice(5) === date.toISOString().slice(5, 10),
    );
    if (isHoliday) continue;
    // Weekdays of settings begin on Monday.
    const weekday = weekdays[(date.getUTCDay() + 6) % 7];
    for (const { start, end } of office.workingTimes.filter((one) => one.weekday === weekday)) {
      const at = (ms: number) =>
        new TZDate(
          year,
          month,
          dayOfMonth,
          Math.floor(ms / 3_600_000),
          (ms / 60_000) % 60,
          office.timeZone,
        ).getTime();
      found.push([at(start), at(end)]);
    }
  }
  let total = 0;
  const before = found.map(([start, end]) => {
    const here = total;
    total += end - start;
    return here;
  });
  return {
    starts: Float64Array.from(found, ([start]) => start),
    ends: Float64Array.from(found, ([, end]) => end),
    before: Float64Array.from(before),
  };
}

/** Work before an instant (ms), by bisection. */
export function workBefore({ starts, ends, before }: WorkIntervals, at: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const i = low - 1;
  if (i < 0) return 0;
  return (before[i] ?? 0) + Math.min(at, ends[i] ?? 0) - (starts[i] ?? 0);
}
