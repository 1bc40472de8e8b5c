import type { Doubts } from './doubts.ts';
import type { StatusCategory } from './issue.ts';
import type { Provenance } from './table.ts';
import type { Spread } from './weekly.ts';

/** Time in one status on both sides, over the issues of each that were in it; visits that last count as far as they came. */
export interface ComparedStatus {
  readonly id: string;
  readonly title: string;
  readonly category: StatusCategory;
  readonly sides: readonly [Spread, Spread];
}

/** Two selections side by side. */
export interface Comparison {
  readonly titles: readonly [string, string];
  readonly issues: readonly [number, number];
  /** Those in a status of category Done, whether or not it is known since when. */
  readonly finished: readonly [number, number];
  readonly cycleTime: readonly [Spread, Spread];
  readonly statuses: readonly ComparedStatus[];
  readonly doubts: readonly [Doubts, Doubts];
  readonly provenance: readonly [Provenance, Provenance];
}
