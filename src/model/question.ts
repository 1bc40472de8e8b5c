import type { Instant } from './issue.ts';
import type { DateRangeField, ReportRequest, Selection } from './request.ts';

/** Days, counted back from the instant of asking, or a period of the question's zone: `back` 0 is the running one. */
export type When =
  | { readonly by: 'days'; readonly days: number }
  | { readonly by: 'period'; readonly period: 'week' | 'month' | 'quarter' | 'year'; readonly back: number }
  | { readonly by: 'dates'; readonly from: Instant | null; readonly to: Instant | null };

/** Narrows a selection to issues of which something happened at a time that moves with the instant of asking. */
export interface MovingRange {
  readonly field: DateRangeField;
  readonly when: When;
}

/** The largest unit durations are shown in. */
export type DurationUnit = 'hours' | 'days';

/**
 * A request that can be put in words, shared, posted on a schedule and explained, without the person and the moment, as a
 * value that can be stored as JSON. Its other members depend on its kind, one of those in `api/answers`.
 */
export interface Question {
  readonly kind: string;
  /** The zone (IANA) of its days and weeks. */
  readonly timeZone: string;
  /** Absent: days, where the calendar has days of one length. */
  readonly unit?: DurationUnit;
  /** Its calendar: an id, or `normalHours`. Absent: elsewhere in it. */
  readonly calendar?: string;
}

/** The working hours and the zone: a calendar's id or `normalHours`, and an IANA zone. */
export interface Hours {
  readonly calendar: string;
  readonly timeZone: string;
}

/** A question that says itself which hours count. */
export interface MeasuredQuestion extends Question {
  readonly calendar: string;
}

/** A report over issues: any report type, as a list or condensed. */
export interface ReportQuestion extends Question {
  readonly kind: 'report';
  /** No statistic, grouping or report was named: the answer is a summary of the issues. */
  readonly isSummary?: true;
  /** A period was named and a time of the finish, and neither a grouping nor a list: times are by the period of the finish. */
  readonly isTrend?: true;
  /** The summary shows the average of the cycle times as well. */
  readonly withAverage?: true;
  /** The part of the request that is the same for every person and moment; `calendar` is in it. */
  readonly request: Omit<ReportRequest, 'principal' | 'asOf' | 'timeZone' | 'page' | 'dateRange'>;
  readonly range: MovingRange | null;
}

/** A saved parameter set, read again at each use. */
export interface SavedQuestion extends Question {
  readonly kind: 'saved';
  readonly setId: string;
}

/** One side of a comparison. `title` is what it is called in the answer. */
export interface Side {
  readonly title: string;
  readonly selection: Selection;
  readonly range: MovingRange | null;
}

/**
 * A question that was answered once: anyone with its id may ask it again, of the same instant, with their own rights.
 * `account` is the account that asked.
 */
export interface Run {
  readonly id: string;
  readonly account: string;
  readonly question: Question;
  /** The instant the answer spoke of. */
  readonly asOf: Instant;
  readonly askedAt: Instant;
}
