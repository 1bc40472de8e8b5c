import type { Instant } from '../../../model/issue.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import type { MeasurePlan } from '../../reports/measuring/measure-plan.ts';
import type { ReportType } from '../../reports/measuring/report-type.ts';

/** One question to a kernel, as plain data that a worker thread can be sent. */
export interface KernelPlan extends MeasurePlan {
  /** The id of the report type that measures. */
  readonly report: string;
  /** Visits are counted, not their time. */
  readonly countsVisits: boolean;
  /** Columns have all that counts of a cut history, as of a time after its last change. */
  readonly readsCut: boolean;
  readonly goesThrough: ReportType['fields'];
  /** Null: 24/7. */
  readonly calendar: CalendarDefinition | null;
  /** No issue of the rows was created before. */
  readonly earliest: Instant;
  /** By code of the status an issue is in: `LISTED` where the known statuses speak of its site, else `UNLISTED`. */
  readonly listed: Uint8Array;
  /** How many groups there are; each has keys of its own. */
  readonly groups: number;
}

/** The rows of a question, in their order, and the group of each (null: all are of one). */
export interface KernelRows {
  readonly rows: Uint32Array;
  readonly groups: Uint32Array | null;
}

/** The group of a row whose group columns do not know. */
export const NO_GROUP = 0xffffffff;

/** Values of `KernelPlan.listed`. */
export const UNLISTED = 1;
export const LISTED = 2;
