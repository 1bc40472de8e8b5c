import type { StatusCategory } from './issue.ts';
import type { Provenance } from './table.ts';
import type { Spread } from './weekly.ts';

/** Time in one status on both sides, over the issues of each that were in it. */
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
  readonly finished: readonly [number, number];
  readonly cycleTime: readonly [Spread, Spread];
  readonly statuses: readonly ComparedStatus[];
  readonly provenance: readonly [Provenance, Provenance];
}
