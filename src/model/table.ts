import type { History, Instant, Status } from './issue.ts';

/** What a column holds: text, working milliseconds, an instant (epoch ms), or a plain count. */
export type ColumnKind = 'text' | 'duration' | 'instant' | 'count';

/** `part` says where the column comes from: the issue itself, a grouping, an asked-for field, or the report type. */
export interface Column {
  readonly id: string;
  readonly title: string;
  readonly kind: ColumnKind;
  readonly part: 'header' | 'group' | 'field' | 'value';
}

/** A raw value: never rounded, never worded. A cell that is absent means "never"; 0 is a value. */
export interface Cell {
  readonly value: string | number;
  /** Identity behind a text, such as a status id. */
  readonly id?: string;
  /** How many visits the value is made of. */
  readonly visits?: number;
}

/** The cell of a column; ids come from trackers, and one may be named like a member every object has. */
export function cellOf(cells: Readonly<Record<string, Cell>>, columnId: string): Cell | undefined {
  return Object.hasOwn(cells, columnId) ? cells[columnId] : undefined;
}

/** Time of an issue of which nothing is known, because its history is cut. */
export interface UnknownTime {
  readonly from: Instant;
  readonly until: Instant;
  readonly ms: number;
}

/** One line of the answer: an issue, or one visit of an issue; the issue's own cells are on every line. */
export interface Row {
  readonly issueKey: string;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** What is to be said of an issue beside its lines, of which there may be none. */
export interface IssueFacts {
  readonly key: string;
  /** Cells of the header and field columns. */
  readonly cells: Readonly<Record<string, Cell>>;
  readonly link: string | null;
  readonly created: Instant;
  /** The value the issue has at the as-of instant and since when; null where that is not known. */
  readonly current: CurrentValue | null;
  readonly history: History;
  readonly unknown: UnknownTime | null;
  /** Changes that contradict the state before them, or the state the tracker shows now: a step is missing at each. */
  readonly contradictions: number;
  /** Titles of the statuses the issue was in that are left out because they are gone from the tracker. */
  readonly leftOut: readonly string[];
}

/** `columnId` is the value column the issue is in. */
export interface CurrentValue {
  readonly columnId: string;
  readonly title: string;
  readonly since: Instant;
}

/** Where the figures come from: enough to repeat the question and to trust, or not, the answer. */
export interface Provenance {
  readonly reportType: string;
  readonly calendar: CalendarFacts;
  readonly askedAt: Instant;
  /** The instant the answer speaks of; equals `askedAt` unless the asker named one. */
  readonly asOf: Instant;
  /** When the data was last taken from the tracker; null when it is computed on the spot. */
  readonly dataAsOf: Instant | null;
  readonly tracker: string;
  readonly trim: { readonly from: Instant | null; readonly to: Instant | null };
  readonly timeZone: string;
  /** True when the history of every issue counted is whole. */
  readonly complete: boolean;
  readonly issues: number;
}

/** What an answer tells about the calendar it was measured with. `dailyMs` is the length of one business day. */
export interface CalendarFacts {
  readonly id: number | null;
  readonly name: string;
  readonly timeZone: string;
  readonly dailyMs: number;
  readonly continuous: boolean;
}

/** Statuses the matched issues have met: shown as columns, left out by the asker's choice, or gone from the tracker. */
export interface MetStatuses {
  readonly included: readonly Status[];
  readonly excluded: readonly Status[];
  readonly deleted: readonly Status[];
}

/** The neutral answer of every report: outputs know only this. */
export interface Table {
  readonly columns: readonly Column[];
  readonly issues: readonly IssueFacts[];
  readonly rows: readonly Row[];
  readonly statuses: MetStatuses;
  readonly provenance: Provenance;
}
