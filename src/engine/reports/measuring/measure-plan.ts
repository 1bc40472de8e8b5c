import type { FieldValue, Instant, Issue } from '../../../model/issue.ts';
import type { MultiVisitBehavior } from '../../../model/request.ts';
import type { MetricState } from '../../../model/table.ts';
import type { VisitCursor, VisitWindow } from '../../visits/field-visits.ts';

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
  readonly issue: Issue;
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
