import type { DelegateTimes } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import type { FieldValue, Instant, Issue, StatusCategory } from '../../model/issue.ts';
import type { BetweenMetric, ConsolidatedStatus, MultiVisitBehavior } from '../../model/request.ts';
import type { Cell, Column, ColumnKind, CurrentValue, MetricState, UnknownTime } from '../../model/table.ts';
import type { Calendar } from '../../time/calendar.ts';
import type { Period } from '../../time/periods.ts';
import type { Trim } from './timeline.ts';

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
  readonly states?: Readonly<Record<string, MetricState>>;
  /** Statuses that count although no column is about them. */
  readonly statuses?: readonly FieldValue[];
}

/**
 * One value of `columnsBy`. `shape` tells whether a line is an issue or one visit of an issue, `kind` what the value
 * columns hold (instants have no statistics), `levels` what the columns are made of.
 */
export interface ReportType {
  readonly id: string;
  readonly title: string;
  readonly shape: 'issue' | 'visit';
  readonly kind: ColumnKind;
  readonly levels: readonly Level[];
  /** Two levels that the answer tells apart. */
  readonly composite: boolean;
  measure(issue: Issue, context: MeasureContext): Measured;
  /** How the same figures follow from columns alone; absent where they do not. */
  readonly columns?: ColumnMeasure;
}

/** One thing a column can be about, before it becomes a column. */
export interface Subject {
  readonly id: string;
  readonly title: string;
  readonly status?: FieldValue;
  readonly consolidated?: true;
  readonly standIn?: NonNullable<Column['standIn']>;
}

/** Which of two subjects is the first level of a column. */
export type Arrange = (one: Subject, other: Subject) => readonly [Subject, Subject];

/** The kernel that goes through the rows of issues, and what the amounts it finds count for. */
export type ColumnMeasure =
  | { readonly kernel: 'status'; readonly counts: 'time' | 'visits' }
  | {
      readonly kernel: 'assignee';
      readonly subjectsOf: (assignee: FieldValue | null, context: MeasureContext) => readonly Subject[];
    }
  /** Arranged are an assignee and a status. */
  | { readonly kernel: 'assigneeStatus'; readonly arrange: Arrange }
  /** Arranged are a status and a period. */
  | { readonly kernel: 'statusPeriod'; readonly arrange: Arrange }
  | { readonly kernel: 'transition'; readonly columnOf: (from: FieldValue, to: FieldValue) => ValueColumn }
  /** A value of one of the `historyFields`; null is no value. */
  | {
      readonly kernel: 'history';
      readonly subjectOf: (
        issue: Issue,
        field: Column,
        value: FieldValue | null,
        context: MeasureContext,
      ) => Subject;
    }
  | { readonly kernel: 'between' }
  | { readonly kernel: 'age'; readonly column: ValueColumn };
