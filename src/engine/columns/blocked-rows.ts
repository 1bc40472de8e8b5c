import type { Instant } from '../../model/issue.ts';
import {
  type ColumnArrays,
  type HistoryArrays,
  historyColumns,
  historyFlag,
  rowFlag,
  shared,
} from './column-arrays.ts';
import { type FlowRows, flowIndex, needsTypeThen } from './flow-rows.ts';
import { BLOCKERS, flagHistory } from './history-column.ts';
import { EMPTY, FIRST_VALUE } from './value-codes.ts';

/** The causes for which an issue counts as blocked, as bits. */
export const causeBit = { flag: 1, status: 2, link: 4 } as const;

/** The code of a set of causes (bits) in the history of what blocked an issue: `EMPTY` without any. */
export function codeOfCauses(bits: number): number {
  return bits === 0 ? EMPTY : FIRST_VALUE - 1 + bits;
}

/** The causes (bits) behind a code of `codeOfCauses`; none of unknown time. */
export function causesOfCode(code: number): number {
  return code < FIRST_VALUE ? 0 : code - FIRST_VALUE + 1;
}

/** The facts by which rows are blocked, by flow where they depend on it. */
export interface BlockedRowsPlan {
  readonly asOf: Instant;
  /** The fields that are flags; the histories of `flagHistory` are held. */
  readonly flags: readonly string[];
  readonly flows: FlowRows;
  /** 1 where flags, or links, count. */
  readonly byFlag: Uint8Array;
  readonly byLink: Uint8Array;
  /** By code of a status: 1 where it is not done, and where it blocks. */
  readonly open: readonly Uint8Array[];
  readonly blocking: readonly Uint8Array[];
  /** By code of `BLOCKERS`: the rows of the issues that count. */
  readonly blockers: readonly (Uint32Array | undefined)[];
}

/** Rows looked at between two looks at the time slice. */
const ROWS_AT_ONCE = 8_192;

const FIRST_VISITS = 4_096;

/**
 * The histories of what blocked the issues of all rows, with codes of `codeOfCauses`, in memory that threads share. A row that
 * was never blocked has no visits; those of any other begin with its creation.
 */
export async function blockedRows(
  columns: ColumnArrays,
  plan: BlockedRowsPlan,
  pace: () => Promise<void> | null,
): Promise<HistoryArrays> {
  const finder = new BlockedFinder(columns, plan);
  for (let from = 0; from < columns.rows; from += ROWS_AT_ONCE) {
    await pace();
    finder.add(from, Math.min(columns.rows, from + ROWS_AT_ONCE));
  }
  return finder.found();
}

/** A history of which it matters alone which rows had what. */
interface RowHistory {
  readonly at: Uint32Array;
  readonly count: ArrayLike<number>;
  readonly starts: Float64Array;
  readonly codes: ArrayLike<number>;
  readonly flags: Uint8Array | null;
}

/** Goes through rows and collects when each was blocked. */
class BlockedFinder {
  readonly #columns: ColumnArrays;
  readonly #plan: BlockedRowsPlan;
  readonly #flags: readonly RowHistory[];
  readonly #links: RowHistory | null;
  readonly #statuses: ReturnType<typeof historyColumns> & RowHistory;
  readonly #at: Uint32Array;
  readonly #count: Uint16Array;
  readonly #needs: Uint8Array;
  #starts = new Float64Array(FIRST_VISITS);
  #codes = new Uint16Array(FIRST_VISITS);
  #visits = 0;
  /** The spans of the row at hand: when each begins and ends, and its causes; 0: it is not done. */
  readonly #from: Instant[] = [];
  readonly #until: Instant[] = [];
  readonly #causes: number[] = [];

  constructor(columns: ColumnArrays, plan: BlockedRowsPlan) {
    const historyOf = (field: string) => historyColumns(columns, field);
    this.#columns = columns;
    this.#plan = plan;
    this.#flags = plan.flags.flatMap((flag) => historyOf(flagHistory(flag)) ?? []);
    this.#links = historyOf(BLOCKERS);
    this.#statuses = historyColumns(columns, 'status');
    this.#at = shared(Uint32Array, columns.rows);
    this.#count = shared(Uint16Array, columns.rows);
    this.#needs = shared(Uint8Array, columns.rows);
  }

  add(from: number, to: number): void {
    for (let row = from; row < to; row += 1) {
      if ((this.#columns.flags[row] & rowFlag.dead) === 0) this.#addRow(row);
    }
  }

  found(): HistoryArrays {
    const starts = shared(Float64Array, this.#visits);
    const codes = shared(Uint16Array, this.#visits);
    starts.set(this.#starts.subarray(0, this.#visits));
    codes.set(this.#codes.subarray(0, this.#visits));
    return {
      at: this.#at,
      count: this.#count,
      flags: this.#needs,
      starts,
      codes,
      authors: shared(Uint16Array, 0),
    };
  }

  #addRow(row: number): void {
    const flow = this.#flowOf(row);
    if (flow < 0) {
      this.#needs[row] = historyFlag.needsIssue;
      return;
    }
    const { byFlag, byLink, blocking } = this.#plan;
    for (const list of [this.#from, this.#until, this.#causes]) list.length = 0;
    let isWhole = true;
    if (byFlag[flow] === 1) {
      for (const history of this.#flags) isWhole = this.#addFlags(history, row) && isWhole;
    }
    const links = byLink[flow] === 1 ? this.#links : null;
    if (links !== null) isWhole = this.#addLinks(links, row) && isWhole;
    if (!isWhole) {
      this.#needs[row] = historyFlag.needsIssue;
      return;
    }
    const stops = blocking[flow];
    if (stops !== undefined && stops.length > 0) this.#addStatuses(row, stops, causeBit.status);
    if (this.#from.length === 0) return;
    const open = this.#plan.open[flow];
    if (open !== undefined) this.#addStatuses(row, open, 0);
    this.#sweep(row);
  }

  /** The flow of a row; -1 where columns do not show all of its statuses, or its type. */
  #flowOf(row: number): number {
    const { flows, asOf } = this.#plan;
    const columns = this.#columns;
    const isSilent = (columns.flags[row] & (rowFlag.cut | rowFlag.odd)) !== 0;
    if (isSilent || needsTypeThen(columns, flows, row, asOf)) return -1;
    const index = flowIndex(columns, flows, row);
    return index < 0 ? 0 : flows.flows[index];
  }

  /** Adds the time in which a flag is not empty; false where the column does not have it all. */
  #addFlags(history: RowHistory, row: number): boolean {
    return eachVisit(history, row, (code, from, until) => {
      if (code >= FIRST_VALUE) this.#push(from, until, causeBit.flag);
      return true;
    });
  }

  /** Adds the time in which an issue at the other end of a link is not done; false where columns do not have it all. */
  #addLinks(history: RowHistory, row: number): boolean {
    return eachVisit(history, row, (code, from, until) => {
      for (const other of this.#plan.blockers[code] ?? []) {
        const flow = this.#flowOf(other);
        const open = flow < 0 ? undefined : this.#plan.open[flow];
        if (open === undefined) return false;
        this.#addStatuses(other, open, causeBit.link, from, until);
      }
      return true;
    });
  }

  /** Adds the visits of a row to some statuses, as far as they are between two instants. */
  #addStatuses(
    row: number,
    isIn: Uint8Array,
    causes: number,
    from = Number.NEGATIVE_INFINITY,
    until = Number.POSITIVE_INFINITY,
  ): void {
    const { at, count, starts, codes, mask } = this.#statuses;
    const first = at[row];
    const end = first + (count[row] ?? 0);
    for (let visit = first; visit < end; visit += 1) {
      if (isIn[(codes[visit] ?? 0) & mask] !== 1) continue;
      const start = starts[visit];
      // Visits that adjoin are one span.
      while (visit + 1 < end && isIn[(codes[visit + 1] ?? 0) & mask] === 1) visit += 1;
      const next = visit + 1 < end ? starts[visit + 1] : Number.POSITIVE_INFINITY;
      this.#push(Math.max(start, from), Math.min(next, until), causes);
    }
  }

  #push(from: Instant, until: Instant, causes: number): void {
    if (!(from < until)) return;
    this.#from.push(from);
    this.#until.push(until);
    this.#causes.push(causes);
  }

  /** Writes the visits of a row from the spans at hand. */
  #sweep(row: number): void {
    const created = this.#columns.created[row];
    const edges = [created];
    for (const ends of [this.#from, this.#until])
      for (const at of ends) if (at > created && at < Number.POSITIVE_INFINITY) edges.push(at);
    edges.sort((a, b) => a - b);
    const first = this.#visits;
    let last = -1;
    for (const at of edges) {
      let [causes, isOpen] = [0, false];
      for (let i = 0; i < this.#from.length; i += 1) {
        if ((this.#from[i] ?? 0) > at || (this.#until[i] ?? 0) <= at) continue;
        causes |= this.#causes[i] ?? 0;
        isOpen ||= this.#causes[i] === 0;
      }
      const now = isOpen ? causes : 0;
      if (now === last) continue;
      last = now;
      this.#write(at, codeOfCauses(now));
    }
    // Never blocked after all.
    if (this.#visits === first + 1 && last === 0) this.#visits = first;
    this.#at[row] = first;
    this.#count[row] = this.#visits - first;
  }

  #write(start: Instant, code: number): void {
    if (this.#visits === this.#starts.length) {
      const [starts, codes] = [this.#starts, this.#codes];
      this.#starts = new Float64Array(2 * starts.length);
      this.#codes = new Uint16Array(2 * codes.length);
      this.#starts.set(starts);
      this.#codes.set(codes);
    }
    this.#starts[this.#visits] = start;
    this.#codes[this.#visits] = code;
    this.#visits += 1;
  }
}

/** Goes through the visits of a row until one is not taken; false then, or where the column does not have all of them. */
function eachVisit(
  { at, count, starts, codes, flags }: RowHistory,
  row: number,
  take: (code: number, from: Instant, until: Instant) => boolean,
): boolean {
  if (flags !== null && (flags[row] & historyFlag.needsIssue) !== 0) return false;
  const first = at[row];
  const end = first + (count[row] ?? 0);
  for (let visit = first; visit < end; visit += 1) {
    const until = visit + 1 < end ? starts[visit + 1] : Number.POSITIVE_INFINITY;
    if (!take(codes[visit] ?? 0, starts[visit], until)) return false;
  }
  return true;
}
