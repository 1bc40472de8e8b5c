import type { Instant } from '../../../model/issue.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import type { MeasurePlan, ReportType } from '../../reports/measuring/report-type.ts';

/** A question to a kernel, as plain data that can be sent to a worker thread. */
export interface KernelPlan extends MeasurePlan {
  /** Id of the report type that measures. */
  readonly report: string;
  /** Amounts are numbers of visits instead of time. */
  readonly countsVisits: boolean;
  /** For a cut history, columns contain everything that counts, as of an instant after its last change. */
  readonly readsCut: boolean;
  readonly goesThrough: ReportType['fields'];
  /** Null means 24/7. */
  readonly calendar: CalendarDefinition | null;
  /** No issue of the rows was created before this instant. */
  readonly earliest: Instant;
  /** By code of an issue's current status: `LISTED` if the known status lists cover its site, otherwise `UNLISTED`. */
  readonly listed: Uint8Array;
  /** Number of groups; each has its own keys. */
  readonly groups: number;
}

/** The rows of a question in their order, and the group of each; `groups` null means that all rows are one group. */
export interface KernelRows {
  readonly rows: Uint32Array;
  readonly groups: Uint32Array | null;
}

/** The group of a row whose group columns cannot show. */
export const NO_GROUP = 0xffffffff;

/** Values of `KernelPlan.listed`, used as bits. */
export const UNLISTED = 1;
export const LISTED = 2;
