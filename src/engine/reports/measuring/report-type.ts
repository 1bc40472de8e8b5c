import type { DelegateTimes } from '../../../model/delegation.ts';
import type { Group } from '../../../model/directory.ts';
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

/** Everything a report type is handed besides the issue; it reaches for nothing else. */
export interface MeasureContext {
  readonly asOf: Instant;
  readonly trim: Trim;
  readonly calendar: Calendar;
  /** The principal's zone. */
  readonly timeZone: string;
  readonly multiVisitBehavior: MultiVisitBehavior;
  readonly historyFields: readonly Column[];
  readonly consolidated: readonly ConsolidatedStatus[];
  /**
   * Whether time in a status counts where columns are not statuses: the principal may have selected some, and those that are
   * gone from the tracker count only when asked for.
   */
  readonly countsStatus: (id: string) => boolean;
  /** The groups asked about to which a user belongs. */
  readonly groupsOf: (userId: string) => readonly Group[];
  /** Who stood in for an assignee whose time is to be told apart then; nobody where that is not asked. */
  readonly delegateTimes: DelegateTimes;
  /** The periods of the report by time period, adjoining and in order; empty for the others. */
  readonly periods: readonly Period[];
  readonly metrics: readonly BetweenMetric[];
  /** The name people know a value by today: a status may have been renamed since. */
  readonly nameOf: (issue: Issue, field: string, value: FieldValue) => string;
  readonly categoryOf: (statusId: string) => StatusCategory;
  /** The display name of a user id; null where nobody told it. */
  readonly userName: (id: string) => string | null;
}

/** What a level of value columns is made of, and so how its columns are ordered. */
export type Level = 'status' | 'user' | 'group' | 'period' | 'value' | 'metric';

/**
 * A value column as it is met: `ids` per level of its report type (of who stands in: the id of the person they stand
 * in for), and the statuses it depends on.
 */
export interface ValueColumn extends Column {
  readonly ids: readonly string[];
  readonly statuses: readonly FieldValue[];
}

/** What one issue comes to: its value columns and one or more lines of cells, before selection and layout. */
export interface Measured {
  readonly columns: readonly ValueColumn[];
  readonly lines: readonly Readonly<Record<string, Cell>>[];
  readonly current: readonly CurrentValue[];
  readonly unknown: UnknownTime | null;
  readonly contradictions: number;
  /** How far the clocks of metrics have come; null where the report type has none. */
  readonly states: Readonly<Record<string, MetricState>> | null;
  /** Statuses that count although no column is about them. */
  readonly statuses: readonly FieldValue[];
}

/** The fields whose visits a report type goes through: statuses, assignees and statuses, or those of `historyFields`. */
type MeasuredFields = 'status' | 'assignee' | 'history';

/** What the keys of a report type stand for. */
export interface ReportKeys
  extends Pick<
    MeasurePlan,
    'statuses' | 'assignees' | 'delegates' | 'clocks' | 'histories' | 'keys' | 'inner'
  > {
  /** Columns that every issue has, whether with an amount or not; of one level, by key. */
  readonly always: readonly ValueColumn[];
  /** The column of a key, called as the codes of an issue that has it call it. */
  columnOf(key: number, status: number, other: number): ValueColumn;
}

/** How a report type measures issues: what counts for what, and how much. */
interface ReportMeasures {
  readonly fields: MeasuredFields;
  /** Amounts are made of visits, whose number is a part of the answer. */
  readonly hasVisits: boolean;
  /** Whether the columns of a cut history have all that counts, as of a time after the last change. */
  readonly readsCut: (multiVisitBehavior: MultiVisitBehavior) => boolean;
  readonly keys: (vocabulary: Vocabulary, context: MeasureContext) => ReportKeys;
  readonly measure: Measure;
  readonly current: Current;
}

/** Members of a request that only some report types have a use for. */
type ReportOption =
  | 'multiVisitBehavior'
  | 'groups'
  | 'timePeriod'
  | 'metrics'
  | 'historyFields'
  | 'creditDelegates';

/** What doors and tables know of a report type: see `ReportType`. */
interface ReportFacts {
  readonly id: string;
  readonly title: string;
  /** The options it has a use for. */
  readonly options: readonly ReportOption[];
  /** Those of them without which it makes no sense. */
  readonly requires: readonly ReportOption[];
  /** Its columns share the time, or the visits, of an issue out, so that a line has a sum. */
  readonly sharesOut: boolean;
  /** What the value columns hold; instants have no statistics. */
  readonly kind: ColumnKind;
  /** What the columns are made of. */
  readonly levels: readonly Level[];
  /** Two levels that the answer tells apart. */
  readonly composite: boolean;
}

/** One value of `columnsBy` whose lines are issues. */
export interface IssueReport extends ReportFacts, ReportMeasures {
  readonly shape: 'issue';
}

/** One value of `columnsBy` whose lines are the visits of an issue themselves, in the order of time. */
export interface VisitReport extends ReportFacts {
  readonly shape: 'visit';
  readonly fields: MeasuredFields;
  readonly columns: readonly ValueColumn[];
}

/** One value of `columnsBy`; `shape` tells whether a line is an issue or one visit of an issue. */
export type ReportType = IssueReport | VisitReport;

/** Which of two subjects is the first level of a column. */
export type Arrange = (one: Subject, other: Subject) => readonly [Subject, Subject];

/** One thing a column can be about, before it becomes a column. */
export interface Subject {
  readonly id: string;
  readonly title: string;
  readonly status?: FieldValue;
  readonly consolidated?: true;
  readonly standIn?: NonNullable<Column['standIn']>;
}
