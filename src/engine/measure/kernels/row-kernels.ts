import type { Instant } from '../../../model/issue.ts';
import {
  type ColumnArrays,
  type HistoryArrays,
  historyColumns,
  historyFlag,
  rowFlag,
} from '../../columns/column-arrays.ts';
import { reports } from '../../reports/index.ts';
import { BLOCKED } from '../../visits/blocked-visits.ts';
import { type FieldVisits, NONE, VisitCursor } from '../../visits/field-visits.ts';
import { createWorkClock, type WorkClock } from '../../visits/work-clock.ts';
import { squaresAtOnce } from '../statistics.ts';
import type { AmountBrackets } from './cell-amounts.ts';
import { CellAccumulator, type KernelCells } from './kernel-cells.ts';
import { type KernelPlan, type KernelRows, NO_GROUP, type PlainLoop, UNLISTED } from './kernel-plan.ts';
import { PlainPairs } from './plain-pairs.ts';
import { PlainPeriods } from './plain-periods.ts';
import { isPlain, PlainStatuses } from './plain-statuses.ts';

/** A kernel over the rows of a question: `add` ranges of rows in order, then call `found`. */
interface Kernel {
  add(from: number, to: number): void;
  found(): KernelCells;
}

/** Creates a kernel that measures rows by a plan; with brackets, it also collects single amounts. */
export function createKernel(
  arrays: ColumnArrays,
  { rows, groups }: KernelRows,
  plan: KernelPlan,
  brackets: AmountBrackets | null,
): Kernel {
  const report = reports.find(({ id }) => id === plan.report);
  if (report === undefined || report.shape === 'visit') throw new Error(`'${plan.report}' has no measure.`);
  const clock = createWorkClock(plan);
  const cells = new CellAccumulator(plan, brackets);
  const cursor = new ColumnCursor(arrays, plan, clock);
  const measure = report.measure(cursor, plan, cells);
  const fallback: number[] = [];
  const plain = plainLoop(arrays, plan, clock, { cells, needsAmounts: brackets !== null });
  const blockRows = exactBlock(plan, brackets !== null);
  const { flags, updated, fields } = arrays;
  const statusCodes = fields.status ?? new Uint32Array(arrays.rows);
  const { listed, asOf, readsCut } = plan;
  const holds = holdsHistories(arrays, plan);
  const isIdle = hasNothing(arrays, plan);
  let inBlock = 0;
  let isWalked = false;
  let [start, end] = [0xffffffff, 0];
  const settle = () => {
    plain?.settle();
    cells.settle();
    inBlock = 0;
  };
  return {
    add(from, to) {
      start = Math.min(start, from);
      end = to;
      for (let position = from; position < to; position += 1) {
        const row = rows[position];
        const group = groups === null ? 0 : groups[position];
        // Contradicting changes do not affect visits.
        const flag = flags[row] & ~rowFlag.contradicts;
        const isSilent = flag !== 0 && !(readsCut && flag === rowFlag.cut && asOf >= updated[row]);
        if (group === NO_GROUP || isSilent || (holds !== null && !holds(row))) {
          fallback.push(position);
          continue;
        }
        const bit = listed[statusCodes[row]] ?? UNLISTED;
        if (isIdle?.(row)) {
          cells.issues[group] = (cells.issues[group] ?? 0) + 1;
          continue;
        }
        if (plain === null || flag !== 0 || !plain.add(row, group, bit, position)) {
          isWalked = true;
          cells.begin(position, group, bit);
          cursor.load(row, bit);
          if (flag !== 0 && cursor.hasUnknown) cells.markUnknown();
          measure();
          cells.end();
        }
        cells.issues[group] = (cells.issues[group] ?? 0) + 1;
        inBlock += 1;
        if (inBlock === blockRows) settle();
      }
    },
    found() {
      settle();
      plain?.finish?.({ rows, groups }, { start, end, all: isWalked || fallback.length > 0 });
      return cells.found(Uint32Array.from(fallback));
    },
  };
}

/** The plain loop for a plan; null if there is none. `needsAmounts`: single amounts are needed. */
function plainLoop(
  arrays: ColumnArrays,
  plan: KernelPlan,
  clock: WorkClock,
  { cells, needsAmounts }: { readonly cells: CellAccumulator; readonly needsAmounts: boolean },
): PlainLoop | null {
  if (clock.kind === 2) return null;
  const amounts = needsAmounts ? cells.amountsByNumber : null;
  if (isPlain(plan) && needsAmounts === (amounts !== null)) {
    return new PlainStatuses(arrays, plan, clock, { cells, amounts });
  }
  if (needsAmounts) return null;
  const Loop = [PlainPairs, PlainPeriods].find((one) => one.fits(plan));
  return Loop === undefined ? null : new Loop(arrays, plan, clock, cells);
}

/** Number of rows whose amounts (whole milliseconds), and their squares, add up exactly. */
function exactBlock(plan: KernelPlan, hasSquares: boolean): number {
  const longest = largestAmount(plan);
  const squares = hasSquares ? squaresAtOnce(longest) : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(65_536, squares, Math.floor(Number.MAX_SAFE_INTEGER / longest)));
}

/** Upper bound of the amount that a row has in a cell: ms, or a number of visits. */
export function largestAmount({
  asOf,
  earliest,
  countsVisits,
}: {
  readonly asOf: Instant;
  readonly earliest: Instant;
  readonly countsVisits: boolean;
}): number {
  return countsVisits ? 0xffff : Math.max(1, asOf - earliest);
}

/** A cursor over rows of columns. */
class ColumnCursor extends VisitCursor {
  readonly #loads: readonly ((row: number) => void)[];
  readonly #all: readonly FieldVisits[];

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock) {
    super(plan, clock, plan.histories.length);
    const fields = this.histories.map((visits, i) => [plan.histories[i]?.field ?? '', visits] as const);
    if (plan.goesThrough === 'assignee') fields.push(['assignee', this.assignees]);
    if (plan.goesThrough === 'blocked') fields.push([BLOCKED, this.blocked]);
    if (plan.goesThrough !== 'history') fields.push(['status', this.statuses]);
    this.#all = fields.map(([, visits]) => visits);
    this.#loads = fields.map(([field, visits]) => loader(arrays, field, visits));
  }

  /** Moves to a row; `naming` is the issue's bit of `KernelPlan.listed`. */
  load(row: number, naming: number): void {
    this.naming = naming;
    for (const load of this.#loads) load(row);
  }

  /** True if part of the time of the row's issue is unknown. */
  get hasUnknown(): boolean {
    for (const { gap } of this.#all) if (gap !== NONE) return true;
    return false;
  }
}

function loader(arrays: ColumnArrays, field: string, visits: FieldVisits): (row: number) => void {
  const columns = historyColumns(arrays, field);
  if (columns === null) return () => {};
  const { at, count, starts, codes, mask } = columns;
  return (row) => visits.loadRow(starts, codes, mask, at[row], count[row]);
}

/** Returns whether columns contain all histories of a row that a plan needs; null if they do for every row. */
function holdsHistories({ histories }: ColumnArrays, plan: KernelPlan): ((row: number) => boolean) | null {
  const named = plan.goesThrough === 'blocked' ? [BLOCKED] : plan.histories.map(({ field }) => field);
  const fields = named.filter((field) => !isRecorded(field));
  const [only, ...others] = fields.map((field): Uint8Array | null => histories[field]?.flags ?? null);
  if (only === undefined) return null;
  if (only === null || others.includes(null)) return () => false;
  if (others.length === 0) return (row) => (only[row] & historyFlag.needsIssue) === 0;
  return (row) => [only, ...others].every((flags) => ((flags?.[row] ?? 0) & historyFlag.needsIssue) === 0);
}

/** Returns whether a row has nothing that a plan measures; null if any row may have something. */
function hasNothing(
  { histories }: ColumnArrays,
  { goesThrough }: KernelPlan,
): ((row: number) => boolean) | null {
  const { count } = (goesThrough === 'blocked' ? histories[BLOCKED] : undefined) ?? {};
  return count === undefined ? null : (row) => count[row] === 0;
}

/** True if columns contain the visits of a field for every row. */
export function isRecorded(field: string): field is 'status' | 'assignee' {
  return field === 'status' || field === 'assignee';
}

/** Columns with the history of what blocked the issues. */
export function withBlocked(arrays: ColumnArrays, history: HistoryArrays): ColumnArrays {
  return { ...arrays, histories: { ...arrays.histories, [BLOCKED]: history } };
}
