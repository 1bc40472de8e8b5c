import type { Instant } from '../model/issue.ts';
import type { LookUp } from './look-up.ts';
import type { Interval } from './shifts-between.ts';

const BUCKET_MS = 12 * 60 * 60 * 1000;

/**
 * Adds up what was worked before each interval and notes, for every half day, which interval began last by then; from
 * there it is a step or two to the interval an instant lies in or behind.
 */
export function bucketLookUp(intervals: readonly Interval[], from: Instant, until: Instant): LookUp {
  // An interval of no length comes first, so that every instant has one before it.
  const all = [{ start: from, end: from }, ...intervals];
  const starts = Float64Array.from(all, ({ start }) => start);
  const ends = Float64Array.from(all, ({ end }) => end);
  const before = new Float64Array(all.length);
  for (let i = 1; i < all.length; i += 1) {
    before[i] = (before[i - 1] ?? 0) + (ends[i - 1] ?? 0) - (starts[i - 1] ?? 0);
  }
  const latest = new Uint32Array(Math.floor((until - from) / BUCKET_MS) + 1);
  let last = 0;
  for (let bucket = 0; bucket < latest.length; bucket += 1) {
    while ((starts[last + 1] ?? until) < from + bucket * BUCKET_MS) last += 1;
    latest[bucket] = last;
  }
  return (instant) => {
    let i = latest[Math.floor((instant - from) / BUCKET_MS)] ?? 0;
    while ((starts[i + 1] ?? Number.POSITIVE_INFINITY) <= instant) i += 1;
    const start = starts[i] ?? 0;
    return (before[i] ?? 0) + Math.min(instant, ends[i] ?? 0) - start;
  };
}
