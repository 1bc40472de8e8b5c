import type { Instant } from './issue.ts';
import type { Principal } from './permissions.ts';

/** Which visits of a status count when it was visited more than once. */
export const multiVisitBehaviors = ['total', 'first', 'last', 'average'] as const;
export type MultiVisitBehavior = (typeof multiVisitBehaviors)[number];

/**
 * How issues are chosen. `keys` is the only choice that fails when an issue cannot be seen. `title` is what people call
 * these issues (`assigned to Ada`); it changes nothing of which they are.
 */
export type Selection =
  | { readonly by: 'keys'; readonly keys: readonly string[]; readonly title?: string }
  | { readonly by: 'project'; readonly project: string }
  /** Issues that are, or ever were, assigned to the user. */
  | { readonly by: 'user'; readonly user: string }
  | { readonly by: 'savedFilter'; readonly id: string }
  | { readonly by: 'sprint'; readonly id: string }
  | { readonly by: 'jql'; readonly jql: string; readonly title?: string };

export const dateRangeFields = ['created', 'resolved', 'updated'] as const;
export type DateRangeField = (typeof dateRangeFields)[number];

/** Narrows the selection: the field's instant lies in [from, to); null is open. */
export interface DateRange {
  readonly field: DateRangeField;
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** Several statuses shown as one column under a name of the principal's. */
export interface ConsolidatedStatus {
  readonly name: string;
  readonly statuses: readonly string[];
}

export const timePeriods = ['Day', 'Week', 'Month', 'Quarter', 'Year'] as const;
export type TimePeriod = (typeof timePeriods)[number];

/** A clock from one point of an issue's life to another that stands still in some statuses. */
export interface BetweenMetric {
  readonly name: string;
  /** No statuses: from the creation on. */
  readonly from: { readonly statuses: readonly string[]; readonly visit: 'first' | 'last' };
  readonly to: { readonly statuses: readonly string[]; readonly visit: 'first' | 'last' };
  readonly pausedIn: readonly string[];
}

export const aggregationTypes = ['average', 'sum', 'median', 'standardDeviation', 'percentile'] as const;
export type AggregationType = (typeof aggregationTypes)[number];

/** One figure for many issues. `denominator` and `deviation` matter to average and standardDeviation only. */
export interface Statistic {
  readonly type: AggregationType;
  /** `nonNull`: issues with a value in the column; `all`: every issue, one without a value counts as zero. */
  readonly denominator: 'nonNull' | 'all';
  readonly deviation: 'population' | 'sample';
  /** 0 to 100; of the type `percentile` only. */
  readonly percentile: number;
}

/** A part of the answer: by the index of its first issue, or by what the part before it handed out (null: the first). */
export type Page =
  | { readonly by: 'index'; readonly start: number; readonly size: number }
  | { readonly by: 'token'; readonly token: string | null; readonly size: number };

/** One asking. Absent choices are spelled out (null, []), so that two equal requests are equal values. */
export interface ReportRequest {
  readonly principal: Principal;
  readonly reportType: string;
  readonly selection: Selection;
  readonly dateRange: DateRange | null;
  /** Answer as the world was at this instant; null: now. */
  readonly asOf: Instant | null;
  /** The zone (IANA) on whose clocks the dates of a query are read; null: the principal's. */
  readonly timeZone: string | null;
  /** History trimming: as if created at `from` with what the issue had then, and gone at `to`. */
  readonly trim: { readonly from: Instant | null; readonly to: Instant | null };
  /** Calendar id, or `normalHours`. */
  readonly calendar: string;
  /** Status ids to show as columns; null: every status met. */
  readonly statuses: readonly string[] | null;
  readonly consolidated: readonly ConsolidatedStatus[];
  readonly includeDeletedStatuses: boolean;
  readonly multiVisitBehavior: MultiVisitBehavior;
  /** Field ids to show as further columns. */
  readonly fields: readonly string[];
  /** The fields whose history is reported by the any-field report types. */
  readonly historyFields: readonly string[];
  /** Ids or names of user groups of groupDuration; null: every group. */
  readonly groups: readonly string[] | null;
  readonly timePeriod: TimePeriod;
  readonly metrics: readonly BetweenMetric[];
  /** Field ids; each distinct combination of their values is one group. */
  readonly groupBy: readonly string[];
  /**
   * Categories by id or name, in texts of one or several with commas between: time of an assignee someone covered for
   * is reported apart, the first category that covers it counting; []: every category. Null: time is the assignee's. Of the
   * assignee report only.
   */
  readonly creditDelegates: readonly string[] | null;
  /** Null: a list of issues. */
  readonly statistic: Statistic | null;
  /** Null: everything at once. */
  readonly page: Page | null;
}

type Asked = 'principal' | 'reportType' | 'selection';

/** A request with the default for everything that is not given. */
export function ask(request: Pick<ReportRequest, Asked> & Partial<ReportRequest>): ReportRequest {
  return {
    dateRange: null,
    asOf: null,
    timeZone: null,
    trim: { from: null, to: null },
    calendar: 'normalHours',
    statuses: null,
    consolidated: [],
    includeDeletedStatuses: false,
    multiVisitBehavior: 'total',
    fields: [],
    historyFields: [],
    groups: null,
    timePeriod: 'Month',
    metrics: [],
    groupBy: [],
    creditDelegates: null,
    statistic: null,
    page: null,
    ...request,
  };
}
