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
import type { VisitCursor, VisitWindow } from '../../visits/field-visits.ts';
import type { Trim } from '../../visits/timeline.ts';

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
  readonly nameOf: (issue: Pick<Issue, 'status'>, field: string, value: FieldValue) => string;
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

/** The slots that codes of a field count for: code `c` counts for `slots[at[c]]` until before `slots[at[c + 1]]`. */
export interface CodeSlots {
  readonly at: Uint32Array;
  readonly slots: Uint32Array;
  /** Number of slots. */
  readonly size: number;
}

/** A clock between statuses. `roles` has bits of `ROLE` by code of a status. */
export interface ClockSlots {
  readonly roles: Uint8Array;
  readonly from: 'creation' | 'first' | 'last';
  readonly to: 'first' | 'last';
}

/** Bits of `ClockSlots.roles`: the clock starts in, stops in, or pauses in the status. */
export const ROLE = { from: 1, to: 2, paused: 4 } as const;

/** A field whose visits count. By code of its history: the slots of values; their keys begin at `first`. */
interface HistorySlots {
  readonly field: string;
  readonly slots: CodeSlots;
  readonly first: number;
}

/** A period in which a delegate covers for an assignee, and the slot that the assignee's time counts for in it. */
export interface DelegateSlot {
  readonly start: Instant;
  readonly end: Instant;
  readonly slot: number;
}

/**
 * The plan of a measure, as plain data that can be sent to a worker thread. A key is the number that an amount counts
 * for: the slot of a status, an assignee or a metric; with two levels, first slot × `inner` + second slot.
 */
export interface MeasurePlan extends VisitWindow {
  readonly multiVisitBehavior: MultiVisitBehavior;
  readonly statuses: CodeSlots;
  readonly assignees: CodeSlots;
  /**
   * By code of an assignee: the periods in which delegates cover, disjoint and in order. Empty if none are credited.
   */
  readonly delegates: readonly (readonly DelegateSlot[])[];
  /** By code of a status: 1 if time in it counts, otherwise 0. */
  readonly counted: Uint8Array;
  /** The start of each period, and the end of the last one. */
  readonly periods: Float64Array;
  readonly clocks: readonly ClockSlots[];
  readonly histories: readonly HistorySlots[];
  /** Number of possible keys, and number of slots on the second level. */
  readonly keys: number;
  readonly inner: number;
}

/** The values by code, null for a code without a value. Statuses have the names that they have for `issue`. */
export interface Vocabulary {
  readonly statuses: readonly (FieldValue | null)[];
  readonly assignees: readonly (FieldValue | null)[];
  /** By history field of the request. */
  readonly histories: readonly (readonly (FieldValue | null)[])[];
  readonly issue: Pick<Issue, 'status'>;
}

/**
 * Receives the amounts of an issue, for a row of a list or for the sums of a group. `status` and `other` are the codes
 * that the name of a key's column depends on, as far as the report type needs them.
 */
export interface MeasureSink {
  /** Adds an amount to a key; it consists of a number of visits. */
  add(key: number, amount: number, visits: number, status: number, other: number): void;
  /** Adds a part of a visit, which counts once per key; the parts of a visit follow each other. */
  addPart(key: number, amount: number, visit: number, status: number, other: number): void;
  /** Notes a key whose amount is unknown. */
  observe(key: number, status: number, other: number): void;
  /** Notes a status that counts although no key is about it; `visit` is the index of the visit. */
  observeStatus(code: number, visit: number): void;
  /** Sets the state of a metric's clock. */
  setState(metric: number, state: MetricState): void;
}

/**
 * Measures issues by their visits. It prepares what is the same for all issues, and returns a function to call for each
 * issue that the cursor has moved to.
 */
export type Measure = (cursor: VisitCursor, plan: MeasurePlan, sink: MeasureSink) => () => void;

/**
 * A key that the issue counts for at the as-of instant; `since` is null if unknown. The name of its column depends on
 * the codes `status` and `other`.
 */
export interface CurrentKey {
  readonly key: number;
  readonly since: Instant | null;
  readonly status: number;
  readonly other: number;
}

/** Finds the keys that the issue at the cursor counts for at the as-of instant. */
export type Current = (cursor: VisitCursor, plan: MeasurePlan) => readonly CurrentKey[];
