import type { Instant } from '../../model/issue.ts';
import { rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';
import {
  calendarIn,
  categoryCode,
  joinNumbers,
  joinObserved,
  NumberList,
  type ObservedSlots,
  ownSlot,
  type Scan,
  type ScanFound,
  type ScanPlan,
  StatusObserver,
  slotAt,
  visitAt,
} from './scan-rows.ts';

/** Weeks that adjoin: the beginning of each, and the end of the last one. */
interface WeeksPlan extends ScanPlan {
  readonly bounds: readonly Instant[];
}

/** What the lives of issues come to in some weeks. All times are working ms. */
export interface WeeksFound extends ScanFound {
  /** Time of all issues by slot × week. */
  readonly within: Float64Array;
  /** How many issues were in progress at the end of each week, or at the instant asked about while it runs. */
  readonly inProgress: Float64Array;
  /** The issues finished in one of the weeks: their places, the week (its index), and the cycle time (NaN: none). */
  readonly places: Float64Array;
  readonly weeks: Float64Array;
  readonly cycleMs: Float64Array;
  /** Whole time of these issues in each status that is not Done: the index among them, the slot, the time. */
  readonly timeOf: Float64Array;
  readonly timeIn: Float64Array;
  readonly timeMs: Float64Array;
  /** How many issues were open, or finished, in the weeks. */
  readonly lived: number;
  readonly observed: ObservedSlots;
  /** Places of those of `rest` whose time in the weeks is not in `within` either. */
  readonly odd: Float64Array;
}

/** One pass for any number of weeks. */
export const weeksScan: Scan<WeeksPlan, WeeksFound> = {
  name: 'weeks',
  scan(columns, { rows, offset }, plan) {
    const { asOf, bounds, slots, categories } = plan;
    const { visitStart, visitStatus, statusAt, created, flags } = columns;
    const { between } = calendarIn(plan);
    const count = bounds.length - 1;
    const [begin = 0, end = 0] = [bounds[0], bounds[count]];
    const starts = Float64Array.from(bounds);
    const whole = Float64Array.from({ length: count }, (_, i) => between(starts[i] ?? 0, starts[i + 1] ?? 0));
    const untilNow = starts.map((start) => (start < asOf ? between(start, asOf) : 0));
    const within = new Float64Array(categories.length * count);
    const inProgress = new Float64Array(count);
    const [places, weeks, cycleMs] = [new NumberList(), new NumberList(), new NumberList()];
    const [timeOf, timeIn, timeMs] = [new NumberList(), new NumberList(), new NumberList()];
    const [rest, odd] = [new NumberList(), new NumberList()];
    const observer = new StatusObserver(plan);
    const sums = new Float64Array(categories.length);
    const seen = new Uint8Array(categories.length);
    let lived = 0;

    /** A visit between two instants, week by week. */
    const addWithin = (slot: number, from: Instant, until: Instant) => {
      const isProgress = categories[slot] === categoryCode.progress;
      let week = 0;
      while (week < count - 1 && (starts[week + 1] ?? 0) <= from) week += 1;
      let at = from;
      for (; week < count && at < until; week += 1) {
        const [start, next] = [starts[week] ?? 0, starts[week + 1] ?? 0];
        const index = slot * count + week;
        const isWhole = at === start;
        if (isWhole && until >= next) within[index] = (within[index] ?? 0) + (whole[week] ?? 0);
        else if (isWhole && until === asOf) within[index] = (within[index] ?? 0) + (untilNow[week] ?? 0);
        else within[index] = (within[index] ?? 0) + between(at, Math.min(until, next));
        if (isProgress && (until >= next || until === asOf)) inProgress[week] = (inProgress[week] ?? 0) + 1;
        at = next;
      }
    };

    /** Time in the weeks of the visits from `first` to `last`, which ends at `end`. Of unknown time nothing is known. */
    const addVisits = (first: number, last: number, lastEnd: Instant) => {
      let until = lastEnd;
      for (let visit = last; visit >= first && until > begin; visit -= 1) {
        const start = visitStart[visit] ?? 0;
        const slot = slotAt(columns, visit, slots);
        if (slot !== 0 && categories[slot] !== categoryCode.done && start < end && start < until) {
          addWithin(slot, Math.max(start, begin), Math.min(until, end));
        }
        until = start;
      }
    };

    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const last = visitAt(columns, row, asOf);
      const isClear = observer.observe(columns, row, last);
      const from = statusAt[row] ?? 0;
      const own = ownSlot(columns, row, plan, last);
      if (!isClear || own < 0) {
        rest.push(offset + i);
        if (((flags[row] ?? 0) & rowFlag.odd) !== 0) odd.push(offset + i);
        else addVisits(from, last, asOf);
        continue;
      }
      // The last visit that is not Done: where an issue is done, its end is the finish.
      let work = last;
      if (categories[own] === categoryCode.done) {
        while (work >= from && categories[slotAt(columns, work, slots)] === categoryCode.done) work -= 1;
      }
      const isDone = work < last || work < from;
      const finish = isDone && work >= from ? (visitStart[work + 1] ?? 0) : Number.NaN;
      if ((created[row] ?? 0) < end && (!isDone || finish >= begin)) lived += 1;
      addVisits(from, work, isDone ? finish : asOf);
      if (!(finish >= begin && finish < end)) continue;
      let week = 0;
      while ((starts[week + 1] ?? 0) <= finish) week += 1;
      let progress = from;
      while (progress <= work && categories[slotAt(columns, progress, slots)] !== categoryCode.progress) {
        progress += 1;
      }
      const index = places.length;
      places.push(offset + i);
      weeks.push(week);
      cycleMs.push(progress > work ? Number.NaN : between(visitStart[progress] ?? 0, finish));
      for (let visit = from; visit <= work; visit += 1) {
        const slot = slots[(visitStatus[visit] ?? 0) & STATUS_CODE] ?? 0;
        seen[slot] = 1;
        sums[slot] = (sums[slot] ?? 0) + between(visitStart[visit] ?? 0, visitStart[visit + 1] ?? 0);
      }
      for (let visit = from; visit <= work; visit += 1) {
        const slot = slotAt(columns, visit, slots);
        if (seen[slot] === 0) continue;
        if (categories[slot] !== categoryCode.done) {
          timeOf.push(index);
          timeIn.push(slot);
          timeMs.push(sums[slot] ?? 0);
        }
        seen[slot] = 0;
        sums[slot] = 0;
      }
    }
    return {
      within,
      inProgress,
      places: places.done(),
      weeks: weeks.done(),
      cycleMs: cycleMs.done(),
      timeOf: timeOf.done(),
      timeIn: timeIn.done(),
      timeMs: timeMs.done(),
      lived,
      observed: observer.observed(),
      rest: rest.done(),
      odd: odd.done(),
    };
  },
  join(parts) {
    const within = sumsOf(parts.map((part) => part.within));
    const inProgress = sumsOf(parts.map((part) => part.inProgress));
    let before = 0;
    const timeOf = parts.map((part) => {
      const shifted = part.timeOf.map((index) => index + before);
      before += part.places.length;
      return shifted;
    });
    return {
      within,
      inProgress,
      places: joinNumbers(parts.map((part) => part.places)),
      weeks: joinNumbers(parts.map((part) => part.weeks)),
      cycleMs: joinNumbers(parts.map((part) => part.cycleMs)),
      timeOf: joinNumbers(timeOf),
      timeIn: joinNumbers(parts.map((part) => part.timeIn)),
      timeMs: joinNumbers(parts.map((part) => part.timeMs)),
      lived: parts.reduce((sum, part) => sum + part.lived, 0),
      observed: joinObserved(parts),
      rest: joinNumbers(parts.map((part) => part.rest)),
      odd: joinNumbers(parts.map((part) => part.odd)),
    };
  },
};

/** Lists of the same length, added up. */
function sumsOf(lists: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(lists[0]?.length ?? 0);
  for (const list of lists) for (const [i, one] of list.entries()) sums[i] = (sums[i] ?? 0) + one;
  return sums;
}
