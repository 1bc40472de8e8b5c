import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, historyFlag, rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';
import {
  calendarIn,
  categoryCode,
  joinNumbers,
  joinObserved,
  NumberList,
  type ObservedSlots,
  ownSlot,
  type Scan,
  type ScanFound,
  type ScanPlan,
  StatusObserver,
  speaks,
  visitAt,
} from './scan-rows.ts';

/** When a sprint is counted; `isCut`: up to an instant before its end. */
interface CountedSprint {
  readonly start: Instant;
  readonly end: Instant;
  readonly isCut: boolean;
}

/** Sprints that lie in one field. A sprint is a bit, from the lowest one on: there are at most 31. */
export interface SprintPlan extends ScanPlan {
  readonly field: string;
  readonly sprints: readonly CountedSprint[];
  /** Whether the places of a sprint's issues are listed. */
  readonly listsPlaces: boolean;
  /** By code of the field's contents: the bits of the sprints in it. */
  readonly today: Uint32Array;
  /** The same by code of the field's history. */
  readonly past: Uint32Array;
}

/** What a pass found of one sprint. Durations are working ms. */
export interface SprintTotals {
  readonly issues: number;
  /** Issues that came to a status of category Done within it and were still there at its end. */
  readonly finished: number;
  /** Issues that were not done at its end. */
  readonly open: number;
  /** Issues that were not in it at its start. */
  readonly added: number;
  /** The cycle times of those finished that have one. */
  readonly cycleMs: Float64Array;
  /** By slot: the time within the sprint. */
  readonly within: Float64Array;
  /** How many are of each access class. */
  readonly classes: Float64Array;
  /** The places of its issues, and of those of them that were in it at its start; empty where they are not listed. */
  readonly places: Float64Array;
  readonly placesAtStart: Float64Array;
}

interface SprintsFound extends ScanFound {
  readonly sprints: readonly SprintTotals[];
  readonly observed: ObservedSlots;
}

/**
 * One pass for the totals of several sprints. An issue counts for a sprint that it has now or had as of `asOf` (one that
 * is cut: or had at its end), and had at the end. Those for which columns cannot speak are the rest.
 */
export const sprintScan: Scan<SprintPlan, SprintsFound> = {
  name: 'sprints',
  scan(columns, { rows, offset }, plan) {
    const { asOf, sprints, categories, slots } = plan;
    const { accessClass, created, updated, visitStart, visitStatus, statusAt } = columns;
    const { between } = calendarIn(plan);
    const sprintsAt = membership(columns, plan);
    const totals = sprints.map(() => ({
      issues: 0,
      finished: 0,
      open: 0,
      added: 0,
      cycleMs: new NumberList(),
      within: new Float64Array(categories.length),
      classes: [] as number[],
      places: new NumberList(),
      placesAtStart: new NumberList(),
    }));
    const observer = new StatusObserver(plan);
    const rest = new NumberList();
    const cut = sprints.reduce((bits, { isCut }, i) => (isCut ? bits | (1 << i) : bits), 0);
    const earliest = Math.min(asOf, ...sprints.flatMap(({ end, isCut }) => (isCut ? end : [])));
    const lasts = new Int32Array(sprints.length);
    const owns = new Int32Array(sprints.length);
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      sprintsAt.isNew = false;
      let candidate = sprintsAt.now(row);
      const isPast = (updated[row] ?? 0) > earliest;
      if (candidate === 0 && !isPast && !sprintsAt.isNew) continue;
      if (isPast) {
        if (!sprintsAt.isHeld(row)) {
          if ((candidate | sprintsAt.ever(row)) !== 0 || sprintsAt.isNew) rest.push(offset + i);
          continue;
        }
        candidate |= sprintsAt.of(row, asOf);
        for (let own = 0; cut >>> own !== 0; own += 1) {
          if (((cut >>> own) & 1) === 1) candidate |= sprintsAt.of(row, sprints[own]?.end ?? 0) & (1 << own);
        }
      }
      if (candidate === 0 && !sprintsAt.isNew) continue;
      let isKnown = sprintsAt.isHeld(row);
      let member = 0;
      for (let own = 0; isKnown && own < sprints.length; own += 1) {
        const end = sprints[own]?.end ?? 0;
        const isIn = (candidate & sprintsAt.of(row, end) & (1 << own)) !== 0 && (created[row] ?? 0) <= end;
        if (!isIn) continue;
        member |= 1 << own;
        const last = visitAt(columns, row, end);
        const isClear = observer.observe(columns, row, last);
        lasts[own] = last;
        owns[own] = ownSlot(columns, row, { asOf: end, slots }, last);
        isKnown = isClear && (owns[own] ?? -1) >= 0 && speaks(columns, row, last);
      }
      if (!isKnown || sprintsAt.isNew) {
        rest.push(offset + i);
        continue;
      }
      const from = statusAt[row] ?? 0;
      for (let own = 0; member >>> own !== 0; own += 1) {
        const [sprint, total] = [sprints[own], totals[own]];
        if (((member >>> own) & 1) === 0 || sprint === undefined || total === undefined) continue;
        const { start, end } = sprint;
        const last = lasts[own] ?? 0;
        total.issues += 1;
        const accessCode = accessClass[row] ?? 0;
        total.classes[accessCode] = (total.classes[accessCode] ?? 0) + 1;
        const wasIn = (created[row] ?? 0) <= start && (sprintsAt.of(row, start) & (1 << own)) !== 0;
        if (!wasIn) total.added += 1;
        if (plan.listsPlaces) {
          total.places.push(offset + i);
          if (wasIn) total.placesAtStart.push(offset + i);
        }
        let [work, progress] = [-1, -1];
        for (let visit = from; visit <= last; visit += 1) {
          const slot = slots[(visitStatus[visit] ?? 0) & STATUS_CODE] ?? 0;
          const kind = categories[slot];
          const begun = Math.max(visitStart[visit] ?? 0, start);
          const until = Math.min(visit === last ? end : (visitStart[visit + 1] ?? 0), end);
          if (until > begun) total.within[slot] = (total.within[slot] ?? 0) + between(begun, until);
          if (kind === categoryCode.done) continue;
          work = visit;
          if (progress < 0 && kind === categoryCode.progress) progress = visit;
        }
        if (categories[owns[own] ?? 0] !== categoryCode.done) {
          total.open += 1;
          continue;
        }
        if (work < 0) continue;
        const finishedAt = visitStart[work + 1] ?? 0;
        // What happens in the millisecond in which it ends is still within it.
        if (finishedAt < start || finishedAt > end) continue;
        total.finished += 1;
        if (progress >= 0) total.cycleMs.push(between(visitStart[progress] ?? 0, finishedAt));
      }
    }
    return {
      sprints: totals.map(({ cycleMs, classes, places, placesAtStart, ...total }) => ({
        ...total,
        cycleMs: cycleMs.done(),
        places: places.done(),
        placesAtStart: placesAtStart.done(),
        classes: Float64Array.from({ length: classes.length }, (_, code) => classes[code] ?? 0),
      })),
      observed: observer.observed(),
      rest: rest.done(),
    };
  },
  join(parts) {
    const [first] = parts;
    return {
      sprints: (first?.sprints ?? []).map((_, own) =>
        joinTotals(parts.flatMap((part) => part.sprints[own] ?? [])),
      ),
      observed: joinObserved(parts),
      rest: joinNumbers(parts.map((part) => part.rest)),
    };
  },
};

function joinTotals(parts: readonly SprintTotals[]): SprintTotals {
  const sum = (of: (part: SprintTotals) => number) => parts.reduce((all, part) => all + of(part), 0);
  const sums = (of: (part: SprintTotals) => Float64Array) => {
    const all = new Float64Array(Math.max(0, ...parts.map((part) => of(part).length)));
    for (const part of parts) for (const [i, value] of of(part).entries()) all[i] = (all[i] ?? 0) + value;
    return all;
  };
  return {
    issues: sum(({ issues }) => issues),
    finished: sum(({ finished }) => finished),
    open: sum(({ open }) => open),
    added: sum(({ added }) => added),
    cycleMs: joinNumbers(parts.map(({ cycleMs }) => cycleMs)),
    within: sums(({ within }) => within),
    classes: sums(({ classes }) => classes),
    places: joinNumbers(parts.map(({ places }) => places)),
    placesAtStart: joinNumbers(parts.map(({ placesAtStart }) => placesAtStart)),
  };
}

/** The bits of all sprints. */
const ALL = 0x7fffffff;

/** Flags of rows whose history is not known from columns. */
const SILENT = rowFlag.cut | rowFlag.odd | rowFlag.dead;

/** In which of the sprints the issue of a row was at an instant, as the JQL field `sprint` has it. */
function membership(columns: ColumnArrays, { field, today, past }: SprintPlan) {
  const { fields, histories, updated, flags: rowFlags } = columns;
  const contents = fields[field];
  const history = histories[field];
  const sprintsAt = {
    /** Some value came after the plan was made, so that its sprints are not known. */
    isNew: false,
    isHeld: (row: number) =>
      history !== undefined &&
      ((history.flags[row] ?? 0) & (historyFlag.needsIssue | historyFlag.differs)) === 0 &&
      ((rowFlags[row] ?? 0) & SILENT) === 0,
    now(row: number): number {
      return bitsIn(today, contents?.[row] ?? 0);
    },
    /** All that the issue is known to have been in; each sprint where none of its visits are held. */
    ever(row: number): number {
      const count = history?.count[row] ?? 0;
      if (history === undefined || count === 0) return ALL;
      const first = history.at[row] ?? 0;
      let bits = 0;
      for (let visit = first; visit < first + count; visit += 1)
        bits |= bitsIn(past, history.codes[visit] ?? 0);
      return bits;
    },
    of(row: number, at: Instant): number {
      if (at >= (updated[row] ?? 0) || history === undefined) return sprintsAt.now(row);
      const first = history.at[row] ?? 0;
      let visit = first + (history.count[row] ?? 0) - 1;
      while (visit > first && (history.starts[visit] ?? 0) > at) visit -= 1;
      return bitsIn(past, history.codes[visit] ?? 0);
    },
  };
  const bitsIn = (bits: Uint32Array, code: number) => {
    const known = bits[code];
    if (known === undefined) sprintsAt.isNew = true;
    return known ?? 0;
  };
  return sprintsAt;
}
