import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { bucketLookUp } from './bucket-look-up.ts';
import { gridLookUp } from './grid-look-up.ts';
import type { LookUp } from './look-up.ts';
import type { Interval } from './shifts-between.ts';

/** Nearly every calendar begins and ends its shifts on a quarter of an hour, and nearly every offset is made of them. */
const CELLS_MS = [15 * millisecondsInMinute, 5 * millisecondsInMinute, millisecondsInMinute];
/** 8 MB: sixty years of quarters, four of minutes. */
const MOST_CELLS = 2 ** 21;

/** A look-up for sorted, disjoint intervals from one midnight UTC until another: a grid where they fit one, else buckets. */
export function indexWork(intervals: readonly Interval[], from: Instant, until: Instant): LookUp {
  const cellMs = CELLS_MS.find(
    (cell) =>
      (until - from) / cell <= MOST_CELLS &&
      intervals.every(({ start, end }) => start % cell === 0 && end % cell === 0),
  );
  return cellMs === undefined
    ? bucketLookUp(intervals, from, until)
    : gridLookUp(intervals, from, until, cellMs);
}
