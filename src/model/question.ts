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

/** Which hours count and whose clocks days and weeks follow: a calendar's id or `normalHours`, and an IANA zone. */
interface Measured {
  readonly calendar: string;
  readonly timeZone: string;
  /** Absent: days, where the calendar has days of one length. */
  readonly unit?: DurationUnit;
}

/** Where the time of one issue went. */
export interface IssueQuestion extends Measured {
  readonly kind: 'issue';
  readonly key: string;
}

/** A report over issues: any report type, as a list or condensed. */
export interface ReportQuestion {
  readonly kind: 'report';
  /** What does not depend on who asks and when; `calendar` is in it. */
  readonly request: Omit<ReportRequest, 'principal' | 'asOf' | 'timeZone' | 'page' | 'dateRange'>;
  readonly range: MovingRange | null;
  readonly timeZone: string;
  /** Absent: days, where the calendar has days of one length. */
  readonly unit?: DurationUnit;
}

/** A saved parameter set, read again whenever it is asked. */
export interface SavedQuestion {
  readonly kind: 'saved';
  readonly setId: string;
  readonly timeZone: string;
}

/** The aggregates of an ISO week: the last whole one, the running one, or the one an instant lies in. */
export interface WeeklyQuestion extends Measured {
  readonly kind: 'weekly';
  readonly selection: Selection;
  readonly week: 'last' | 'this' | Instant;
}

/** Open issues by how long they have been where they are, against what is usual there. */
export interface AgingQuestion extends Measured {
  readonly kind: 'aging';
  readonly selection: Selection;
}

/** What waits on the principal. */
export interface MineQuestion extends Measured {
  readonly kind: 'mine';
}

/** One side of a comparison. `title` is what it is called in the answer. */
export interface Side {
  readonly title: string;
  readonly selection: Selection;
  readonly range: MovingRange | null;
}

/** Two selections of issues, or two times of one, side by side. */
export interface CompareQuestion extends Measured {
  readonly kind: 'compare';
  readonly sides: readonly [Side, Side];
}

/**
 * What can be asked in words, shared, posted on a schedule and explained: everything but who asks and when. A value
 * that can be kept as JSON.
 */
export type Question =
  | IssueQuestion
  | ReportQuestion
  | SavedQuestion
  | WeeklyQuestion
  | AgingQuestion
  | MineQuestion
  | CompareQuestion;

/**
 * A question that was answered once: anyone with its id may ask it again, of the same instant, with their own rights.
 * `account` is who asked.
 */
export interface Run {
  readonly id: string;
  readonly account: string;
  readonly question: Question;
  /** The instant the answer spoke of. */
  readonly asOf: Instant;
  readonly askedAt: Instant;
}
