import type { ExportInput, ExportType } from './export.ts';
import type { Instant } from './issue.ts';
import type { When } from './question.ts';
import type { DateRangeField, ReportRequest, Statistic } from './request.ts';
import type { DateFormats } from './settings.ts';

/** Days (`yyyy-MM-dd`) or minutes (`yyyy-MM-dd HH:mm`) on the clocks of the person who asks; absent is open. */
interface WrittenSpan {
  readonly from?: string;
  readonly to?: string;
}

/** A time that moves with the instant of asking. */
export interface RollingRange {
  readonly field: DateRangeField;
  readonly when: Exclude<When, { readonly by: 'dates' }>;
}

/** The form of a saved report's answer, as far as it was chosen; `async`: whether a file is queued. */
interface SavedLook
  extends Partial<Pick<ExportInput, 'dayLength' | 'byteOrderMark' | 'withProvenance'> & DateFormats> {
  readonly viewFormat?: ExportInput['unit'];
  readonly outputType?: ExportType | 'jsonSimplified';
  readonly pageSize?: number;
  readonly async?: boolean;
}

/** Members that depend on the moment and the person, or that are saved in another form. */
type ReadAtUse =
  | 'principal'
  | 'timeZone'
  | 'page'
  | 'dateRange'
  | 'asOf'
  | 'trim'
  | 'statistic'
  | 'statuses'
  | 'groups';

/**
 * A report as it is saved: the chosen parts of the request and of its answer. Parts that were not chosen are absent, so
 * that the person who uses it can choose them.
 */
export interface SavedReport extends Partial<Omit<ReportRequest, ReadAtUse>> {
  readonly issueKey?: string;
  readonly asOf?: Instant;
  readonly statuses?: readonly string[];
  readonly groups?: readonly string[];
  /** Absent: any time. */
  readonly range?: RollingRange | (WrittenSpan & { readonly field?: DateRangeField });
  readonly trim?: WrittenSpan;
  readonly statistic?: Partial<Statistic>;
  readonly look?: SavedLook;
  /** Parameters that are no part of a report or cannot be read, as they were given: nothing is lost, and each use checks them. */
  readonly others?: Readonly<Record<string, unknown>>;
}

/** A saved report configuration. */
export interface ParameterSet {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly public: boolean;
  readonly report: SavedReport;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** One that the tracker brings along and has been deleted. */
  readonly deleted?: true;
}
