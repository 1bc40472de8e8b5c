import type { Instant } from '../../../model/issue.ts';
import type { MultiVisitBehavior } from '../../../model/request.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';

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

/** A field whose visits count: by code of its history the slots of values, whose keys begin at `first`. */
interface HistorySlots {
  readonly field: string;
  readonly slots: CodeSlots;
  readonly first: number;
}

/**
 * One question to a kernel, as plain data that a worker thread can be sent. A key is what an amount counts for: the slot
 * of a status, of an assignee, a metric; of two levels the first × `inner` + the second.
 */
export interface KernelPlan {
  readonly kernel:
    | 'status'
    | 'assignee'
    | 'assigneeStatus'
    | 'statusPeriod'
    | 'transition'
    | 'between'
    | 'age'
    | 'history';
  /** Visits are counted, not their time. */
  readonly countsVisits: boolean;
  readonly asOf: Instant;
  readonly from: Instant;
  readonly to: Instant;
  /** Null: 24/7. */
  readonly calendar: CalendarDefinition | null;
  /** No issue of the rows was created before. */
  readonly earliest: Instant;
  readonly multiVisitBehavior: MultiVisitBehavior;
  readonly statuses: CodeSlots;
  readonly assignees: CodeSlots;
  /** By code of the status an issue is in: 2 where the known statuses speak of its site, else 1. */
  readonly vouched: Uint8Array;
  /** By code of a status: 1 where time there counts. */
  readonly counted: Uint8Array;
  /** Where periods begin, and where the last one ends. */
  readonly periods: Float64Array;
  readonly clocks: readonly ClockSlots[];
  readonly histories: readonly HistorySlots[];
  /** How many keys there are at most, and how many on the second level. */
  readonly keys: number;
  readonly inner: number;
  /** How many groups there are; each has keys of its own. */
  readonly groups: number;
}

/** The rows of a question, in their order, and the group of each (null: all are of one). */
export interface KernelRows {
  readonly rows: Uint32Array;
  readonly groups: Uint32Array | null;
}

/** The group of a row whose group columns do not know. */
export const NO_GROUP = 0xffffffff;

/** Bits of `ClockSlots.roles`. */
export const ROLE = { from: 1, to: 2, paused: 4 } as const;
