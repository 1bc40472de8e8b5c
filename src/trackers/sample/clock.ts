import type { Instant } from '../../model/issue.ts';
import type { Span } from './office-hours.ts';

/** One person's own working time, absences left out. */
export interface Clock {
  /** When `work` milliseconds of working time have passed since an instant; Infinity beyond the known time. */
  after(from: Instant, work: number): Instant;
  /** The working milliseconds between two instants. */
  between(from: Instant, until: Instant): number;
  /** The end of the last working stretch that is over at an instant; -Infinity when there is none. */
  lastEnd(at: Instant): Instant;
}

/** Compiles ordered spans into a clock; with running sums every question is one binary search. */
export function createClock(spans: readonly Span[]): Clock {
  const starts = Float64Array.from(spans, (span) => span.from);
  const ends = Float64Array.from(spans, (span) => span.until);
  const worked = new Float64Array(spans.length + 1);
  for (let i = 0; i < spans.length; i += 1) {
    worked[i + 1] = (worked[i] ?? 0) + (ends[i] ?? 0) - (starts[i] ?? 0);
  }

  const workedUntil = (at: Instant): number => {
    const i = countBelow(starts, at) - 1;
    if (i < 0) return 0;
    return (worked[i] ?? 0) + Math.min(at, ends[i] ?? 0) - (starts[i] ?? 0);
  };
  return {
    after: (from, work) => {
      const target = workedUntil(from) + Math.max(work, 1);
      const i = countBelow(worked, target) - 1;
      const start = starts[i];
      return start === undefined ? Infinity : start + target - (worked[i] ?? 0);
    },
    between: (from, until) => workedUntil(until) - workedUntil(from),
    lastEnd: (at) => ends[countBelow(ends, at + 1) - 1] ?? -Infinity,
  };
}

/** How many of the ascending values are below a limit. */
function countBelow(values: Float64Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
