import { type ColumnArrays, rowFlag, STATUS_CODE } from '../columns/issue-columns.ts';
import { ABSENT, FIRST_VALUE } from '../columns/value-codes.ts';
import type { Instant } from '../model/issue.ts';
import { Cells, type KernelCells, type ValuePlaces } from './kernel-cells.ts';
import { type CodeSlots, type KernelPlan, type KernelRows, NO_GROUP, ROLE } from './kernel-plan.ts';
import { isPlain, type LookedAt, PlainAmounts, PlainStatuses } from './plain-statuses.ts';
import { type Clock, createClock, RowVisits } from './row-visits.ts';
import { PlainPeriods, walkPeriods } from './walk-periods.ts';

/** A kernel over the rows of a question: some after the other, in order, then what was found. */
export interface Kernel {
  add(from: number, to: number): void;
  found(): KernelCells;
}

/** Goes through rows and adds up what `plan` asks for; with `places` it writes the single amounts down instead. */
export function createKernel(
  arrays: ColumnArrays,
  { rows, groups }: KernelRows,
  plan: KernelPlan,
  places: ValuePlaces | null = null,
): Kernel {
  const clock = createClock(plan);
  const cells = new Cells(plan, places);
  const asked: number[] = [];
  const walk = walkerOf(arrays, plan, clock, cells);
  const plain = clock.kind < 2 ? plainOf(arrays, plan, clock, { cells, places }) : null;
  const blockRows = exactBlock(plan);
  const { flags, updated, fields } = arrays;
  const statusCodes = fields.status ?? new Uint32Array(arrays.rows);
  const { vouched } = plan;
  let inBlock = 0;
  let [start, end] = [0xffffffff, 0];
  return {
    add(from, to) {
      start = Math.min(start, from);
      end = to;
      for (let place = from; place < to; place += 1) {
        const row = rows[place] ?? 0;
        const group = groups === null ? 0 : (groups[place] ?? 0);
        const flag = flags[row] ?? 0;
        if (group === NO_GROUP || (flag !== 0 && !speaksFor(flag, updated[row] ?? 0, plan))) {
          asked.push(place);
          continue;
        }
        const bit = vouched[statusCodes[row] ?? 0] ?? 1;
        if (plain !== null && flag === 0) plain.add(row, group, bit, place);
        else {
          cells.begin(place, group, bit);
          walk(row);
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
      plain?.finish?.({ rows, groups }, { start, end, all: asked.length > 0 });
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
  clock: Clock,
  { cells, places }: { readonly cells: Cells; readonly places: ValuePlaces | null },
): PlainKernel | null {
  if (places !== null) {
    const next = cells.nextByNumber;
    if (next === null || !isPlain(plan)) return null;
    return new PlainAmounts(arrays, plan, clock, { values: places.values, next });
  }
  if (isPlain(plan)) return new PlainStatuses(arrays, plan, clock, cells);
  return PlainPeriods.fits(plan) ? new PlainPeriods(arrays, plan, clock, cells) : null;
}

/** Whether columns speak for a row with flags. */
function speaksFor(
  flag: number,
  updated: Instant,
  { kernel, asOf, multiVisitBehavior, countsVisits }: KernelPlan,
) {
  if ((flag & (rowFlag.odd | rowFlag.dead)) !== 0) return false;
  // Which visit of a cut history is the first, and when one began, only the issue says.
  if (kernel === 'between' || kernel === 'age') return false;
  return asOf >= updated && (multiVisitBehavior === 'total' || kernel !== 'status' || countsVisits);
}

/** So many amounts of whole milliseconds add up without a loss. */
function exactBlock({ asOf, earliest, countsVisits }: KernelPlan): number {
  const longest = countsVisits ? 0xffff : Math.max(1, asOf - earliest);
  return Math.max(1, Math.min(65_536, Math.floor(Number.MAX_SAFE_INTEGER / longest)));
}

type Walker = (row: number) => void;

function walkerOf(arrays: ColumnArrays, plan: KernelPlan, clock: Clock, cells: Cells): Walker {
  if (plan.kernel === 'assignee' || plan.kernel === 'assigneeStatus') {
    return walkAssignees(arrays, plan, clock, cells);
  }
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
type Taker = (visits: RowVisits, plan: KernelPlan, clock: Clock, cells: Cells) => () => void;

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

/** As `overlaps` lays assignees over statuses. */
function walkAssignees(arrays: ColumnArrays, plan: KernelPlan, clock: Clock, cells: Cells): Walker {
  const { visitStart, visitStatus, statusAt, statusCount } = arrays;
  const { spanStart, spanAssignee, assigneeAt, assigneeCount } = arrays;
  const { statuses, assignees, counted, inner } = plan;
  const byStatus = plan.kernel === 'assigneeStatus';
  const people = new RowVisits(plan, clock);
  const stays = new RowVisits(plan, clock);
  const onlySlot = onlySlots(statuses);
  const add = (person: number, status: number, ms: number, span: number) => {
    const begin = assignees.at[person] ?? 0;
    if (byStatus) {
      const key = (assignees.slots[begin] ?? 0) * inner;
      const only = onlySlot[status] ?? -1;
      if (only >= 0) {
        cells.add(key + only, ms, 1, status, person);
        return;
      }
      const last = statuses.at[status + 1] ?? 0;
      for (let slot = statuses.at[status] ?? 0; slot < last; slot += 1) {
        cells.add(key + (statuses.slots[slot] ?? 0), ms, 1, status, person);
      }
      return;
    }
    if (((counted[status] ?? 0) & cells.bit) === 0) return;
    const end = assignees.at[person + 1] ?? 0;
    for (let slot = begin; slot < end; slot += 1) {
      cells.addPart(assignees.slots[slot] ?? 0, ms, span, status, person);
    }
  };
  return (row) => {
    const at = assigneeAt[row] ?? 0;
    stays.load(visitStart, visitStatus, STATUS_CODE, statusAt[row] ?? 0, statusCount[row] ?? 0);
    people.load(spanStart, spanAssignee, ASSIGNEE_CODE, at, assigneeCount[row] ?? 0);
    if (stays.hasUnknown || people.hasUnknown) cells.markUnknown();
    if (!byStatus) {
      for (let j = 0; j < stays.count; j += 1) {
        const code = stays.codes[j] ?? 0;
        if (code >= FIRST_VALUE) cells.meetOther(code, j);
      }
    }
    const { bounds: spans, count } = people;
    const { bounds, works: stayWorks } = stays;
    const { works } = people;
    let i = 0;
    let j = 0;
    while (i < count && j < stays.count) {
      const startA = spans[i] ?? 0;
      const endA = spans[i + 1] ?? 0;
      const startB = bounds[j] ?? 0;
      const endB = bounds[j + 1] ?? 0;
      const start = Math.max(startA, startB);
      const end = Math.min(endA, endB);
      const isMomentary = start === end && (startA === endA || startB === endB);
      if (
        (start < end || isMomentary) &&
        people.codes[i] !== ABSENT &&
        (stays.codes[j] ?? 0) >= FIRST_VALUE
      ) {
        // Work does not go back, so that of the later instant is the greater.
        const begun = Math.max(works[i] ?? 0, stayWorks[j] ?? 0);
        const until = Math.min(works[i + 1] ?? 0, stayWorks[j + 1] ?? 0);
        add(people.codes[i] ?? 0, stays.codes[j] ?? 0, until - begun, at + i);
      }
      if (endA < endB) i += 1;
      else if (endB < endA) j += 1;
      else {
        const isLastA = i + 1 >= count;
        const isLastB = j + 1 >= stays.count;
        if (!isLastA && spans[i + 2] === endA && isLastB) i += 1;
        else if (!isLastB && bounds[j + 2] === endB && isLastA) j += 1;
        else {
          i += 1;
          j += 1;
        }
      }
    }
  };
}

/** By code the slot it counts for, -1 where there are none or several. */
function onlySlots({ at, slots }: CodeSlots): Int32Array {
  const only = new Int32Array(Math.max(0, at.length - 1)).fill(-1);
  for (let code = 0; code < only.length; code += 1) {
    const first = at[code] ?? 0;
    if (at[code + 1] === first + 1) only[code] = slots[first] ?? -1;
  }
  return only;
}

/** Assignees have no other bits; codes are far fewer. */
const ASSIGNEE_CODE = 0x7fffffff;
