import type { Instant } from '../../../model/issue.ts';
import { type ColumnArrays, rowFlag, STATUS_CODE } from '../../columns/column-arrays.ts';
import { ABSENT, FIRST_VALUE } from '../../columns/value-codes.ts';
import { squaresAtOnce } from '../statistics.ts';
import type { AmountBrackets } from './cell-amounts.ts';
import { CellAccumulator, type KernelCells } from './kernel-cells.ts';
import { type KernelPlan, type KernelRows, NO_GROUP, ROLE } from './kernel-plan.ts';
import { PlainAssignees } from './plain-assignees.ts';
import { isPlain, type LookedAt, PlainAmounts, PlainStatuses } from './plain-statuses.ts';
import { createWorkClock, RowVisits, type WorkClock } from './row-visits.ts';
import { PlainOverlaps, walkAssignees } from './walk-assignees.ts';
import { holdsHistories, walkHistories } from './walk-histories.ts';
import { PlainPeriods, walkPeriods } from './walk-periods.ts';

/** A kernel over the rows of a question: some after the other, in order, then what was found. */
interface Kernel {
  add(from: number, to: number): void;
  found(): KernelCells;
}

/** Goes through rows and adds up what `plan` asks for; with brackets it looks at the single amounts as well. */
export function createKernel(
  arrays: ColumnArrays,
  { rows, groups }: KernelRows,
  plan: KernelPlan,
  brackets: AmountBrackets | null,
): Kernel {
  const clock = createWorkClock(plan);
  const cells = new CellAccumulator(plan, brackets);
  const asked: number[] = [];
  const walk = walkerOf(arrays, plan, clock, cells);
  const plain =
    clock.kind < 2 ? plainOf(arrays, plan, clock, { cells, walk, needsAmounts: brackets !== null }) : null;
  const blockRows = exactBlock(plan, brackets !== null);
  const { flags, updated, fields } = arrays;
  const statusCodes = fields.status ?? new Uint32Array(arrays.rows);
  const { vouched } = plan;
  const holds = holdsHistories(arrays, plan);
  let inBlock = 0;
  let isWalked = false;
  let [start, end] = [0xffffffff, 0];
  return {
    add(from, to) {
      start = Math.min(start, from);
      end = to;
      for (let place = from; place < to; place += 1) {
        const row = rows[place] ?? 0;
        const group = groups === null ? 0 : (groups[place] ?? 0);
        // What contradicts itself are the changes, not the visits.
        const flag = (flags[row] ?? 0) & ~rowFlag.contradicts;
        const isSilent = flag !== 0 && !speaksFor(flag, updated[row] ?? 0, plan);
        if (group === NO_GROUP || isSilent || (holds !== null && !holds(row))) {
          asked.push(place);
          continue;
        }
        const bit = vouched[statusCodes[row] ?? 0] ?? 1;
        if (plain !== null && flag === 0) plain.add(row, group, bit, place);
        else {
          isWalked = true;
          cells.begin(place, group, bit);
          walk(row);
          cells.end();
        }
        cells.issues[group] = (cells.issues[group] ?? 0) + 1;
        inBlock += 1;
        if (inBlock === blockRows) {
          plain?.settle();
          cells.settle();
          inBlock = 0;
        }
      }
    },
    found() {
      plain?.settle();
      cells.settle();
      plain?.finish?.({ rows, groups }, { start, end, all: isWalked || asked.length > 0 });
      return cells.found(Uint32Array.from(asked));
    },
  };
}

/** What adds up rows of whole histories for a question that is asked often, quicker than it is done for every question. */
interface PlainKernel {
  add(row: number, group: number, bit: number, place: number): void;
  /** Moves sums to where they are exact, or to the cells. */
  settle(): void;
  /** Moves to the cells what is not there when all rows were added. */
  finish?(rows: KernelRows, places: LookedAt): void;
}

function plainOf(
  arrays: ColumnArrays,
  plan: KernelPlan,
  clock: WorkClock,
  {
    cells,
    walk,
    needsAmounts,
  }: { readonly cells: CellAccumulator; readonly walk: Walker; readonly needsAmounts: boolean },
): PlainKernel | null {
  if (needsAmounts) {
    const amounts = cells.amountsByNumber;
    return amounts !== null && isPlain(plan)
      ? new PlainAmounts(arrays, plan, clock, { cells, amounts })
      : null;
  }
  if (isPlain(plan)) return new PlainStatuses(arrays, plan, clock, cells);
  if (PlainOverlaps.fits(plan)) return new PlainOverlaps(arrays, plan, clock, { cells, walk });
  if (PlainAssignees.fits(plan)) return new PlainAssignees(arrays, plan, clock, { cells, walk });
  return PlainPeriods.fits(plan) ? new PlainPeriods(arrays, plan, clock, { cells, walk }) : null;
}

/** Whether columns speak for a row with flags. */
function speaksFor(
  flag: number,
  updated: Instant,
  { kernel, asOf, multiVisitBehavior, countsVisits }: KernelPlan,
) {
  if ((flag & (rowFlag.odd | rowFlag.dead)) !== 0) return false;
  // Which visit of a cut history is the first, and when one began, only the issue says.
  if (kernel === 'between' || kernel === 'age' || kernel === 'history') return false;
  return asOf >= updated && (multiVisitBehavior === 'total' || kernel !== 'status' || countsVisits);
}

/** So many amounts of whole milliseconds, and their squares, add up without a loss. */
function exactBlock(plan: KernelPlan, hasSquares: boolean): number {
  const longest = largestAmount(plan);
  const squares = hasSquares ? squaresAtOnce(longest) : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(65_536, squares, Math.floor(Number.MAX_SAFE_INTEGER / longest)));
}

/** No row has a larger amount in a cell. */
export function largestAmount({
  asOf,
  earliest,
  countsVisits,
}: Pick<KernelPlan, 'asOf' | 'earliest' | 'countsVisits'>): number {
  return countsVisits ? 0xffff : Math.max(1, asOf - earliest);
}

/** Adds the amounts of a row to the cells. */
type Walker = (row: number) => void;

function walkerOf(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator): Walker {
  if (plan.kernel === 'assignee' || plan.kernel === 'assigneeStatus') {
    return walkAssignees(arrays, plan, clock, cells);
  }
  if (plan.kernel === 'history') return walkHistories(arrays, plan, clock, cells);
  const visits = new RowVisits(plan, clock);
  const take = {
    status: plan.multiVisitBehavior === 'total' || plan.countsVisits ? takeStatuses : takeCombined,
    statusPeriod: walkPeriods,
    transition: takeTransitions,
    between: takeClocks,
    age: takeAge,
  }[plan.kernel](visits, plan, clock, cells);
  const { visitStart, visitStatus, statusAt, statusCount } = arrays;
  return (row) => {
    visits.load(visitStart, visitStatus, STATUS_CODE, statusAt[row] ?? 0, statusCount[row] ?? 0);
    if (visits.hasUnknown) cells.markUnknown();
    take();
  };
}

/** What becomes of the visits of a row that were loaded. */
type Taker = (visits: RowVisits, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator) => () => void;

const takeStatuses: Taker =
  (visits, { statuses, countsVisits }, _clock, cells) =>
  () => {
    const { at, slots } = statuses;
    const { count, codes, works } = visits;
    for (let i = 0; i < count; i += 1) {
      const code = codes[i] ?? 0;
      const amount = countsVisits ? 1 : (works[i + 1] ?? 0) - (works[i] ?? 0);
      const end = at[code + 1] ?? 0;
      for (let slot = at[code] ?? 0; slot < end; slot += 1) cells.add(slots[slot] ?? 0, amount, 1, code, 0);
    }
  };

/** The first or last visit of each status, or the mean of them; a consolidated status is the sum of its members. */
const takeCombined: Taker = (visits, { statuses, multiVisitBehavior }, _clock, cells) => {
  const { at, slots, size } = statuses;
  const amounts = new Float64Array(size);
  const counts = new Uint32Array(size);
  const met: number[] = [];
  return () => {
    const { count, codes, works } = visits;
    met.length = 0;
    for (let i = 0; i < count; i += 1) {
      const code = codes[i] ?? 0;
      if (code < FIRST_VALUE) continue;
      const own = slots[at[code] ?? 0] ?? 0;
      const ms = (works[i + 1] ?? 0) - (works[i] ?? 0);
      const before = counts[own] ?? 0;
      counts[own] = before + 1;
      if (before === 0) met.push(code);
      if (before === 0 || multiVisitBehavior === 'last') amounts[own] = ms;
      else if (multiVisitBehavior === 'average') amounts[own] = (amounts[own] ?? 0) + ms;
    }
    for (const code of met) {
      const own = slots[at[code] ?? 0] ?? 0;
      const visited = counts[own] ?? 0;
      const amount = (amounts[own] ?? 0) / (multiVisitBehavior === 'average' ? visited : 1);
      counts[own] = 0;
      const end = at[code + 1] ?? 0;
      for (let slot = at[code] ?? 0; slot < end; slot += 1) {
        cells.add(slots[slot] ?? 0, amount, visited, code, 0);
      }
    }
  };
};

const takeTransitions: Taker =
  (visits, { statuses, inner }, _clock, cells) =>
  () => {
    const { at, slots } = statuses;
    const { count, codes } = visits;
    for (let i = 1; i < count; i += 1) {
      const from = codes[i - 1] ?? 0;
      const to = codes[i] ?? 0;
      if (from < FIRST_VALUE || to < FIRST_VALUE) continue;
      cells.add((slots[at[from] ?? 0] ?? 0) * inner + (slots[at[to] ?? 0] ?? 0), 1, 1, from, to);
    }
  };

/** As `betweenStatuses` has it of whole histories. */
const takeClocks: Taker =
  (visits, { clocks }, _clock, cells) =>
  () => {
    const { count, codes, works } = visits;
    for (const [key, { roles, from, to }] of clocks.entries()) {
      let start = from === 'creation' && count > 0 ? 0 : -1;
      for (let i = 0; from !== 'creation' && i < count; i += 1) {
        if (((roles[codes[i] ?? 0] ?? 0) & ROLE.from) === 0) continue;
        start = i;
        if (from === 'first') break;
      }
      if (start < 0) continue;
      let stop = count;
      for (let i = start; i < count; i += 1) {
        if (((roles[codes[i] ?? 0] ?? 0) & ROLE.to) === 0) continue;
        stop = i;
        if (to === 'first') break;
      }
      let ms = 0;
      for (let i = start; i < stop; i += 1) {
        if (((roles[codes[i] ?? 0] ?? 0) & ROLE.paused) === 0) ms += (works[i + 1] ?? 0) - (works[i] ?? 0);
      }
      cells.add(key, ms, 0, 0, 0);
    }
  };

const takeAge: Taker = (visits, _plan, _clock, cells) => () => {
  const { count, codes, isOpen, works } = visits;
  const last = count - 1;
  if (isOpen && codes[last] !== ABSENT) cells.add(0, (works[last + 1] ?? 0) - (works[last] ?? 0), 1, 0, 0);
};
