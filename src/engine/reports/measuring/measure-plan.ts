import type { FieldValue, Instant, Issue } from '../../../model/issue.ts';
import type { MultiVisitBehavior } from '../../../model/request.ts';
import type { MetricState } from '../../../model/table.ts';
import type { VisitCursor, VisitWindow } from '../../visits/field-visits.ts';

/** What codes of a field count for: of code `c` the slots `slots[at[c]]` up to `slots[at[c + 1]]`. */
export interface CodeSlots {
  readonly at: Uint32Array;
  readonly slots: Uint32Array;
  /** How many slots there are. */
  readonly size: number;
}

/** A clock between statuses: by code of a status whether it is one of from (1), to (2) and paused in (4). */
export interface ClockSlots {
  readonly roles: Uint8Array;
  readonly from: 'creation' | 'first' | 'last';
  readonly to: 'first' | 'last';
}

/** Bits of `ClockSlots.roles`. */
export const ROLE = { from: 1, to: 2, paused: 4 } as const;

/** A field whose visits count: by code of its history the slots of values, whose keys begin at `first`. */
interface HistorySlots {
  readonly field: string;
  readonly slots: CodeSlots;
  readonly first: number;
}

/** A time in which one person covers for an assignee, and the slot that the assignee's time counts for then. */
export interface DelegateSlot {
  readonly start: Instant;
  readonly end: Instant;
  readonly slot: number;
}

/**
 * What a measure is to find out, as plain data that a worker thread can be sent. A key is what an amount counts for: the
 * slot of a status, of an assignee, a metric; of two levels the first × `inner` + the second.
 */
export interface MeasurePlan extends VisitWindow {
  readonly multiVisitBehavior: MultiVisitBehavior;
  readonly statuses: CodeSlots;
  readonly assignees: CodeSlots;
  /** By code of an assignee the times in which others cover, disjoint and in order; empty: all time is the assignee's. */
  readonly delegates: readonly (readonly DelegateSlot[])[];
  /** By code of a status: 1 where time there counts. */
  readonly counted: Uint8Array;
  /** Where periods begin, and where the last one ends. */
  readonly periods: Float64Array;
  readonly clocks: readonly ClockSlots[];
  readonly histories: readonly HistorySlots[];
  /** How many keys there are at most, and how many on the second level. */
  readonly keys: number;
  readonly inner: number;
}

/** The values that codes stand for, null where a code is no value; `issue` calls statuses as the issues in question do. */
export interface Vocabulary {
  readonly statuses: readonly (FieldValue | null)[];
  readonly assignees: readonly (FieldValue | null)[];
  /** By history field of the question. */
  readonly histories: readonly (readonly (FieldValue | null)[])[];
  readonly issue: Issue;
}

/**
 * What becomes of the amounts of an issue: a row of a list, a part of a group's sum. `status` and `other` are the codes by
 * which the column of a key is called, as far as the report type needs them.
 */
export interface MeasureSink {
  /** An amount of a key, made of so many visits. */
  add(key: number, amount: number, visits: number, status: number, other: number): void;
  /** A part of a visit, which counts once in its key: the parts of a visit come one after the other. */
  addPart(key: number, amount: number, visit: number, status: number, other: number): void;
  /** The key came up, but how much belongs to it is not known. */
  observe(key: number, status: number, other: number): void;
  /** The issue was in a status that counts although no key is about it; `visit` is its index. */
  observeStatus(code: number, visit: number): void;
  /** How far the clock of a metric has come. */
  setState(metric: number, state: MetricState): void;
}

/**
 * What a report type makes of the visits of an issue: prepares what is the same for all issues, and returns what is called
 * for each of them once the cursor is at it.
 */
export type Measure = (cursor: VisitCursor, plan: MeasurePlan, sink: MeasureSink) => () => void;

/** A key that an issue counts for at the instant of the question, since when (null: unknown), and what it is called by. */
export interface CurrentKey {
  readonly key: number;
  readonly since: Instant | null;
  readonly status: number;
  readonly other: number;
}

/** Where the issue at the cursor is at the instant of the question. */
export type Current = (cursor: VisitCursor, plan: MeasurePlan) => readonly CurrentKey[];
