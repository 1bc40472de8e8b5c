import type { DelegateTimes } from '../../../model/delegation.ts';
import type { Group } from '../../../model/directory.ts';
import type { WorkKind } from '../../../model/flow.ts';
import type { FieldValue, Instant, Issue, StatusCategory } from '../../../model/issue.ts';
import type { BetweenMetric, ConsolidatedStatus, MultiVisitBehavior } from '../../../model/request.ts';
import type {
  Cell,
  Column,
  ColumnKind,
  CurrentValue,
  MetricState,
  UnknownTime,
} from '../../../model/table.ts';
import type { Calendar } from '../../../time/calendar.ts';
import type { Period } from '../../../time/periods.ts';
import type { Trim } from '../../visits/timeline.ts';
import type { Current, Measure, MeasurePlan, Vocabulary } from './measure-plan.ts';

/** All inputs of a report type besides the issue. */
export interface MeasureContext {
  readonly asOf: Instant;
  readonly trim: Trim;
  readonly calendar: Calendar;
  /** The principal's time zone. */
  readonly timeZone: string;
  readonly multiVisitBehavior: MultiVisitBehavior;
  readonly historyFields: readonly Column[];
  readonly consolidated: readonly ConsolidatedStatus[];
  /**
   * Returns true if time in a status counts in reports whose columns are not statuses: the request may name some, and
   * deleted statuses count only if requested.
   */
  readonly countsStatus: (id: string) => boolean;
  /** The requested groups that a user belongs to. */
  readonly groupsOf: (userId: string) => readonly Group[];
  /** The periods in which delegates covered for an assignee; empty unless the request credits delegates. */
  readonly delegateTimes: DelegateTimes;
  /** The periods of a report by time period, adjoining and in order; empty for other reports. */
  readonly periods: readonly Period[];
  readonly metrics: readonly BetweenMetric[];
  /** The current name of a value: a status may have been renamed since. */
  readonly nameOf: (issue: Issue, field: string, value: FieldValue) => string;
  readonly categoryOf: (statusId: string) => StatusCategory;
  /** The display name of a user id; null if it is unknown. */
  readonly userName: (id: string) => string | null;
}

/** The kind of subject that a level of value columns is about, which determines their order. */
export type Level = 'status' | 'user' | 'group' | 'period' | 'value' | 'metric';

/**
 * A value column as it is observed. `ids` has one subject id per level of the report type (for a delegate's column,
 * that of the assignee they cover for); `statuses` are those that the column depends on.
 */
export interface ValueColumn extends Column {
  readonly ids: readonly string[];
  readonly statuses: readonly FieldValue[];
}

/** The measurement of one issue: its value columns and one or more lines of cells, before columns are selected. */
export interface Measured {
  readonly columns: readonly ValueColumn[];
  readonly lines: readonly Readonly<Record<string, Cell>>[];
  readonly current: readonly CurrentValue[];
  readonly unknown: UnknownTime | null;
  readonly contradictions: number;
  /** The states of clocks by column id; null if the report type has no clocks. */
  readonly states: Readonly<Record<string, MetricState>> | null;
  /** Statuses that count although no column is about them. */
  readonly statuses: readonly FieldValue[];
}

/**
 * The fields whose visits a report type reads: statuses, assignees and statuses, those of `historyFields`, or what blocked the
 * issue and statuses.
 */
type MeasuredFields = 'status' | 'assignee' | 'history' | 'blocked';

/** The keys of a report type: the slots that they are made of, and their columns. */
export interface ReportKeys
  extends Pick<
    MeasurePlan,
    'statuses' | 'assignees' | 'delegates' | 'clocks' | 'histories' | 'keys' | 'inner'
  > {
  /** Columns that every issue has, even without an amount; with one level, indexed by key. */
  readonly always: readonly ValueColumn[];
  /** The column of a key, named after the codes of an issue that has it. */
  columnOf(key: number, status: number, other: number): ValueColumn;
}

/** The measure of a report type, with the keys that it adds amounts to. */
interface ReportMeasures {
  readonly fields: MeasuredFields;
  /** True if amounts consist of visits, whose number is part of the answer. */
  readonly hasVisits: boolean;
  /**
   * Returns true if columns contain everything that counts of a cut history, as of an instant after its last change.
   */
  readonly readsCut: (multiVisitBehavior: MultiVisitBehavior) => boolean;
  readonly keys: (vocabulary: Vocabulary, context: MeasureContext) => ReportKeys;
  readonly measure: Measure;
  readonly current: Current;
}

/** Members of a request that only some report types use. */
type ReportOption =
  | 'multiVisitBehavior'
  | 'groups'
  | 'timePeriod'
  | 'metrics'
  | 'historyFields'
  | 'creditDelegates';

/** Facts about a report type that doors and tables read, see `ReportType`. */
interface ReportFacts {
  readonly id: string;
  readonly title: string;
  /** The options that it uses. */
  readonly options: readonly ReportOption[];
  /** The options without which it has no result. */
  readonly requires: readonly ReportOption[];
  /** True if its columns divide the time, or the visits, of an issue, so that a line has a sum. */
  readonly sharesOut: boolean;
  /** The kind of amount in its value columns; instants have no statistics. */
  readonly kind: ColumnKind;
  /** The kind of subject on each level of its columns. */
  readonly levels: readonly Level[];
  /** True if the table shows the two levels of columns separately. */
  readonly composite: boolean;
}

/** A value of `columnsBy` whose lines are issues. */
export interface IssueReport extends ReportFacts, ReportMeasures {
  readonly shape: 'issue';
}

/** A value of `columnsBy` whose lines are single visits of an issue, in order of time. */
export interface VisitReport extends ReportFacts {
  readonly shape: 'visit';
  readonly fields: MeasuredFields;
  readonly columns: readonly ValueColumn[];
}

/** A value of `columnsBy`; `shape` says whether a line is an issue or a visit. */
export type ReportType = IssueReport | VisitReport;

/** Puts two subjects in the order of the levels of a column. */
export type Arrange = (one: Subject, other: Subject) => readonly [Subject, Subject];

/** A subject that a column can be about: a status, a person, a group, a value and so on. */
export interface Subject {
  readonly id: string;
  readonly title: string;
  readonly status?: FieldValue;
  readonly consolidated?: true;
  readonly stage?: WorkKind;
  readonly standIn?: NonNullable<Column['standIn']>;
}
