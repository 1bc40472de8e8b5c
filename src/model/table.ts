import type { CategoryId } from './delegation.ts';
import type { WorkKind } from './flow.ts';
import type { History, Instant, Status } from './issue.ts';
import type { DurationUnit } from './question.ts';
import type { AudienceScope, Statistic } from './request.ts';

/** The content of a column: text, working milliseconds, an instant (epoch ms), a day (yyyy-MM-dd), or a plain count. */
export type ColumnKind = 'text' | 'duration' | 'instant' | 'day' | 'count';

/** `part` says where the column comes from: the issue itself, a grouping, a requested field, or the report type. */
export interface Column {
  readonly id: string;
  readonly title: string;
  readonly kind: ColumnKind;
  readonly part: 'header' | 'group' | 'field' | 'value';
  /** Several statuses under one name of the principal's. */
  readonly consolidated?: true;
  /** The kind of work, where these are the stage of a flow. */
  readonly stage?: WorkKind;
  /** The first level of a two-level column; `title` then names both levels. */
  readonly parent?: { readonly id: string; readonly title: string };
  /** The second level of a two-level column. */
  readonly child?: { readonly id: string; readonly title: string };
  /** Time of an assignee, the owner, in which another person stood in for them. Null id: the category `general`. */
  readonly standIn?: {
    readonly owner: { readonly id: string; readonly title: string };
    readonly delegate: { readonly id: string; readonly title: string };
    readonly category: { readonly id: CategoryId; readonly name: string };
  };
}

/** A raw value: never rounded, never worded. A cell that is absent means "never"; 0 is a value. */
export interface Cell {
  readonly value: string | number;
  /** Identity behind a text, such as a status id. */
  readonly id?: string;
  /** The number of visits the value is made of. */
  readonly visits?: number;
  /** The single values, where a group column has several. */
  readonly values?: readonly Cell[];
}

/** Cells by column id. */
export type Cells = Readonly<Record<string, Cell>>;

/** A cell by its column's id; ids come from trackers, and one may be named like a member every object has. */
export function cellOf(cells: Cells, columnId: string): Cell | undefined {
  return Object.hasOwn(cells, columnId) ? cells[columnId] : undefined;
}

/** The cell of a line in a column: a value, or what the line is about. */
export function cellIn({ own, cells }: Pick<Row, 'own' | 'cells'>, { id, part }: Column): Cell | undefined {
  return cellOf(part === 'value' ? cells : own, id);
}

/** Time of an issue of which nothing is known, because its history is cut. */
export interface UnknownTime {
  readonly from: Instant;
  readonly until: Instant;
  readonly ms: number;
}

/** The state of a clock between two statuses. `unknown`: the history is cut. */
export const metricStates = ['notStarted', 'running', 'paused', 'completed', 'unknown'] as const;
export type MetricState = (typeof metricStates)[number];

/**
 * One line of the answer: an issue, one visit of an issue, or a group of issues (`issueKey` is null then). `own` are
 * the cells of header, group and field columns, the same on every line of an issue; `cells` those of value columns,
 * whose ids may well be the same.
 */
export interface Row {
  readonly issueKey: string | null;
  readonly own: Cells;
  readonly cells: Cells;
  /** The number of issues of a group. */
  readonly issueCount?: number;
  /** The states of the report between statuses, by column id. */
  readonly states?: Readonly<Record<string, MetricState>>;
}

/** The facts about an issue beside its lines, of which there may be none. */
export interface IssueFacts {
  readonly key: string;
  /** Cells of the header, group and field columns. */
  readonly cells: Cells;
  readonly link: string | null;
  readonly created: Instant;
  /** The value columns the issue is in at the as-of instant and since when; none where that is not known. */
  readonly current: readonly CurrentValue[];
  readonly history: History;
  readonly unknown: UnknownTime | null;
  /** Changes that contradict the state before them, or the state the tracker shows now: a step is missing at each. */
  readonly contradictions: number;
  /** Titles of the statuses the issue was in that are left out because they are gone from the tracker. */
  readonly leftOut: readonly string[];
}

/** `columnId` is the value column the issue is in; `since` is null where a cut history does not show it. */
export interface CurrentValue {
  readonly columnId: string;
  readonly title: string;
  readonly since: Instant | null;
}

/** The origin of the figures: enough to repeat the request and to judge the answer. */
export interface Provenance {
  readonly reportType: string;
  readonly calendar: CalendarFacts;
  readonly askedAt: Instant;
  /** The instant the answer speaks of; equals `askedAt` unless the principal named one. */
  readonly asOf: Instant;
  /** The instant the data was last taken from the tracker; null when it is computed on the spot. */
  readonly dataAsOf: Instant | null;
  readonly tracker: string;
  readonly trim: { readonly from: Instant | null; readonly to: Instant | null };
  readonly timeZone: string;
  /** True when the history of every issue counted is whole, and no issue is left out because it cannot be known. */
  readonly complete: boolean;
  /** Issues counted: those of the page, or all those a statistic condenses. */
  readonly issues: number;
  /** The number of them that have a cut history. */
  readonly cutHistories: number;
  /** The JQL that chose the issues; null where keys did. */
  readonly query: string | null;
  /** The query calls `currentUser()`: for another person it would choose other issues. Absent where it does not. */
  readonly dependsOnPrincipal?: true;
  /** Issues left out because, their history being cut or the tracker not showing them, it is unknown whether the query holds for them. */
  readonly undecided: number;
  /**
   * The number of issues, whatever the request, that the principal is not shown because the tracker could not be asked
   * whether they may see them. Absent where there are none.
   */
  readonly unasked?: number;
  /**
   * Names of the categories in which time is credited to the assignee's delegates, in the order in which they count.
   * Absent where all time is the assignee's.
   */
  readonly creditedCategories?: readonly string[];
  /**
   * Sentences on facts that are unknown, on what the answer shows instead, and on how to read its figures. Absent where
   * there are none.
   */
  readonly notes?: readonly string[];
  /** The statuses the issues were in whose category the tracker does not give and Dwell assumes. Absent where there are none. */
  readonly assumedCategories?: readonly Pick<Status, 'id' | 'name' | 'category'>[];
  /** The flows that were set for projects of the answer: all of its time is measured by them. Absent where there are none. */
  readonly flows?: readonly FlowUsed[];
  /** The issues the answer lists or condenses; absent where that is unknown. */
  readonly contents?: AudienceScope;
}

/** The flow of a project (its key, upper case) that was set, and when it last changed. */
interface FlowUsed {
  readonly project: string;
  readonly changedAt: Instant;
}

/** The part of the selected issues that a table holds. `total` counts all of them. */
export interface PageFacts {
  /** Index of the first issue, from 0; `end` is that of the last one plus 1. */
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly total: number;
  /** Opens the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * The facts about the calendar an answer was measured with. `dailyMs` is the length of one business day, of days
 * of different lengths (`equalDays` is false) their mean.
 */
export interface CalendarFacts {
  readonly id: number | null;
  readonly name: string;
  readonly timeZone: string;
  readonly dailyMs: number;
  readonly equalDays: boolean;
  readonly continuous: boolean;
  /** The largest unit its durations are to be shown in; absent where none was chosen. */
  readonly unit?: DurationUnit;
}

/** Statuses the matched issues have met: shown as columns, left out by the principal's choice, or gone from the tracker. */
export interface ObservedStatuses {
  readonly included: readonly Status[];
  readonly excluded: readonly Status[];
  readonly deleted: readonly Status[];
}

/** The neutral answer of every report: outputs know only this. */
export interface Table {
  readonly columns: readonly Column[];
  readonly issues: readonly IssueFacts[];
  readonly rows: readonly Row[];
  readonly statuses: ObservedStatuses;
  /** Value columns have two levels. */
  readonly composite: boolean;
  /** Null in a list of issues; otherwise rows are groups of issues. */
  readonly statistic: Statistic | null;
  readonly page: PageFacts | null;
  readonly provenance: Provenance;
}

/** A table whose lines come one after the other. */
export interface TableHead extends Omit<Table, 'issues' | 'rows'> {
  /** Some issue has time of which nothing is known. */
  readonly hasUnknown: boolean;
}

/** One issue and its lines, of which there may be none. */
export interface IssueLines {
  readonly facts: IssueFacts;
  readonly rows: readonly Row[];
}
