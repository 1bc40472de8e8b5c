import type { Doubts, LeftOut } from './doubts.ts';
import type { Instant, StatusCategory } from './issue.ts';
import type { Provenance } from './table.ts';

/** Figures of some durations (working ms); null where there are none. `deviation` is the population's. */
export interface Spread {
  readonly count: number;
  readonly average: number | null;
  readonly median: number | null;
  /** The 85th percentile (Hyndman and Fan, type 7). */
  readonly p85: number | null;
  readonly deviation: number | null;
}

/** A figure of the week beside that of the week before and of the eight weeks before. */
export interface Compared<Figure> {
  readonly week: Figure;
  readonly weekBefore: Figure;
  readonly eightWeeks: Figure;
}

/** An ISO week of a zone, Monday midnight to Monday midnight; not `whole` while it runs. */
export interface Week {
  /** Such as 2026-W46. */
  readonly id: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly whole: boolean;
}

/** What a week was like in one status. */
export interface WeeklyStatus {
  readonly id: string;
  readonly title: string;
  readonly category: StatusCategory;
  /** Whole time in the status of the issues finished in the week; of the eight weeks, of all issues finished in them. */
  readonly finished: Compared<Spread>;
  /** Working ms that all issues together spent in it within the week; of the eight weeks, their mean. */
  readonly within: Compared<number>;
}

/** One of the weeks a chart can show. */
export interface WeekPoint {
  readonly week: Week;
  /** Null where nobody knows, and `finishedUnknown` says why. */
  readonly finished: number | null;
  readonly finishedUnknown: string | null;
  readonly cycleTime: Spread;
  /** Working ms within the week, by status id. */
  readonly within: Readonly<Record<string, number>>;
}

/** An issue finished in the week, and by how much it moved the average cycle time away from that of `against`. */
export interface Mover {
  readonly key: string;
  readonly summary: string;
  readonly link: string | null;
  readonly cycleMs: number;
  /** (cycle time - baseline) / issues; over all issues of the week they add up to the change of the average. */
  readonly shiftMs: number;
}

/** The aggregates of one week. */
export interface WeeklyAggregates {
  readonly week: Week;
  readonly timeZone: string;
  /** Issues finished; of the eight weeks, their mean per week. Null where nobody knows. */
  readonly finished: Compared<number | null>;
  /** Why nobody knows: of the week itself, else of another one; null where all of it is known. */
  readonly finishedUnknown: string | null;
  readonly cycleTime: Compared<Spread>;
  /** In the tracker's order; only those in which anything was. */
  readonly statuses: readonly WeeklyStatus[];
  /** Oldest first, the week itself last; nine of them. */
  readonly weeks: readonly WeekPoint[];
  /** At most five, those that moved the average most first; and which average that is. */
  readonly movers: readonly Mover[];
  readonly against: 'weekBefore' | 'eightWeeks' | null;
  /** Issues finished in the week of which no cycle time is known, and why. */
  readonly withoutCycleTime: readonly LeftOut[];
  /** Of the issues that may have been finished in the week; statuses of all that count. */
  readonly doubts: Doubts;
  /** `issues` counts those finished in the nine weeks or open in them. */
  readonly provenance: Provenance;
}
