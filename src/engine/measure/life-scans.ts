import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, STATUS_CODE } from '../columns/column-arrays.ts';
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
  slotAt,
  speaks,
  visitAt,
} from './scan-rows.ts';

/** Whole lives. */
type LivesPlan = ScanPlan;

/** What whole lives of issues come to. All times are working ms. */
interface LivesFound extends ScanFound {
  /** How many issues are in a status of category Done. */
  readonly finished: number;
  /** The cycle times of those that have one, in lists. */
  readonly cycleMs: readonly Float64Array[];
  /** By slot of a status that is not Done: the time of each issue that was in it, in lists. */
  readonly times: readonly (readonly Float64Array[])[];
  readonly observed: ObservedSlots;
}

/** One pass for the cycle time and the time in each status of every issue. */
export const livesScan: Scan<LivesPlan, LivesFound> = {
  name: 'lives',
  scan(columns, { rows, offset }, plan) {
    const { asOf, slots, categories } = plan;
    const { visitStart, visitStatus, statusAt } = columns;
    const { between } = calendarIn(plan);
    const visited = new Uint16Array(categories.length);
    const cycleMs = new NumberList();
    const rest = new NumberList();
    const times = Array.from(categories, () => new NumberList());
    const observer = new StatusObserver(plan);
    const sums = new Float64Array(categories.length);
    const seen = new Uint8Array(categories.length);
    let finished = 0;
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const last = visitAt(columns, row, asOf);
      const isClear = observer.observe(columns, row, last);
      const from = statusAt[row] ?? 0;
      const own = ownSlot(columns, row, plan, last);
      if (!isClear || own < 0) {
        rest.push(offset + i);
        continue;
      }
      let [work, progress, count] = [-1, -1, 0];
      for (let visit = from; visit <= last; visit += 1) {
        const slot = slots[(visitStatus[visit] ?? 0) & STATUS_CODE] ?? 0;
        const kind = categories[slot];
        if (kind === categoryCode.done) continue;
        work = visit;
        if (progress < 0 && kind === categoryCode.progress) progress = visit;
        const until = visit === last ? asOf : (visitStart[visit + 1] ?? 0);
        const ms = between(visitStart[visit] ?? 0, until);
        if (seen[slot] === 1) sums[slot] = (sums[slot] ?? 0) + ms;
        else {
          seen[slot] = 1;
          sums[slot] = ms;
          visited[count] = slot;
          count += 1;
        }
      }
      for (let index = 0; index < count; index += 1) {
        const slot = visited[index] ?? 0;
        times[slot]?.push(sums[slot] ?? 0);
        seen[slot] = 0;
      }
      if (categories[own] !== categoryCode.done) continue;
      finished += 1;
      if (progress >= 0) cycleMs.push(between(visitStart[progress] ?? 0, visitStart[work + 1] ?? 0));
    }
    return {
      finished,
      cycleMs: [cycleMs.done()],
      times: times.map((one) => [one.done()]),
      observed: observer.observed(),
      rest: rest.done(),
    };
  },
  join(parts) {
    const slots = parts[0]?.times.length ?? 0;
    return {
      finished: parts.reduce((sum, part) => sum + part.finished, 0),
      cycleMs: parts.flatMap((part) => part.cycleMs),
      times: Array.from({ length: slots }, (_, slot) => parts.flatMap((part) => part.times[slot] ?? [])),
      observed: joinObserved(parts),
      rest: joinNumbers(parts.map((part) => part.rest)),
    };
  },
};

/** Of the issues that are with somebody (`assignees`: 1 by code of `values('assignee')`), or of all (null). */
interface AgesPlan extends ScanPlan {
  readonly assignees: Uint8Array | null;
}

/** Open issues and how long they have been where they are, in order of places. */
export interface AgesFound extends ScanFound {
  readonly places: Float64Array;
  readonly since: Float64Array;
  /** Working ms. */
  readonly ages: Float64Array;
  readonly slots: Float64Array;
  /** The access class of each. */
  readonly classes: Float64Array;
  readonly observed: ObservedSlots;
}

/** One pass for the ages of open issues. */
export const agesScan: Scan<AgesPlan, AgesFound> = {
  name: 'ages',
  scan(columns, { rows, offset }, plan) {
    const { asOf, categories, assignees } = plan;
    const { visitStart, accessClass } = columns;
    const { between } = calendarIn(plan);
    const [places, since, ages] = [new NumberList(), new NumberList(), new NumberList()];
    const [inSlots, classes, rest] = [new NumberList(), new NumberList(), new NumberList()];
    const observer = new StatusObserver(plan);
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const last = visitAt(columns, row, asOf);
      observer.observe(columns, row, last);
      const own = ownSlot(columns, row, plan, last);
      const kind = own < 0 ? categoryCode.undefined : categories[own];
      if (kind === categoryCode.undefined) {
        rest.push(offset + i);
        continue;
      }
      if (kind === categoryCode.done) continue;
      if (assignees !== null && assignees[assigneeAt(columns, row, asOf)] !== 1) continue;
      const start = visitStart[last] ?? 0;
      places.push(offset + i);
      since.push(start);
      ages.push(between(start, asOf));
      inSlots.push(own);
      classes.push(accessClass[row] ?? 0);
    }
    return {
      places: places.done(),
      since: since.done(),
      ages: ages.done(),
      slots: inSlots.done(),
      classes: classes.done(),
      observed: observer.observed(),
      rest: rest.done(),
    };
  },
  join(parts) {
    return {
      places: joinNumbers(parts.map((part) => part.places)),
      since: joinNumbers(parts.map((part) => part.since)),
      ages: joinNumbers(parts.map((part) => part.ages)),
      slots: joinNumbers(parts.map((part) => part.slots)),
      classes: joinNumbers(parts.map((part) => part.classes)),
      observed: joinObserved(parts),
      rest: joinNumbers(parts.map((part) => part.rest)),
    };
  },
};

/** Visits that ended at an instant or later, up to `asOf`. */
interface EndedPlan extends ScanPlan {
  readonly since: Instant;
  /** By access class: 1 where its issues count. */
  readonly classes: Uint8Array;
}

/** Visits that ended, and of how many issues they are. */
export interface EndedFound extends ScanFound {
  /** The access class of the issue, the slot and the working ms of each visit. */
  readonly classes: Float64Array;
  readonly slots: Float64Array;
  readonly ms: Float64Array;
  /** How many issues they are of by access class. */
  readonly issues: Float64Array;
}

/** One pass for the visits that ended lately. */
export const endedScan: Scan<EndedPlan, EndedFound> = {
  name: 'ended',
  scan(columns, { rows, offset }, plan) {
    const { asOf, since, slots } = plan;
    const { visitStart, statusAt, accessClass } = columns;
    const { between } = calendarIn(plan);
    const [classes, inSlots, ms, rest] = [
      new NumberList(),
      new NumberList(),
      new NumberList(),
      new NumberList(),
    ];
    const issues = new Float64Array(plan.classes.length);
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const own = accessClass[row] ?? 0;
      if (plan.classes[own] !== 1) continue;
      const last = visitAt(columns, row, asOf);
      if (!speaks(columns, row, last)) {
        rest.push(offset + i);
        continue;
      }
      const from = statusAt[row] ?? 0;
      const before = ms.length;
      for (let visit = last - 1; visit >= from; visit -= 1) {
        const end = visitStart[visit + 1] ?? 0;
        if (end < since) break;
        const slot = slotAt(columns, visit, slots);
        if (slot === 0) continue;
        classes.push(own);
        inSlots.push(slot);
        ms.push(between(visitStart[visit] ?? 0, end));
      }
      if (ms.length > before) issues[own] = (issues[own] ?? 0) + 1;
    }
    return {
      classes: classes.done(),
      slots: inSlots.done(),
      ms: ms.done(),
      issues,
      observed: null,
      rest: rest.done(),
    };
  },
  join(parts) {
    const issues = new Float64Array(parts[0]?.issues.length ?? 0);
    for (const part of parts)
      for (const [i, count] of part.issues.entries()) issues[i] = (issues[i] ?? 0) + count;
    return {
      classes: joinNumbers(parts.map((part) => part.classes)),
      slots: joinNumbers(parts.map((part) => part.slots)),
      ms: joinNumbers(parts.map((part) => part.ms)),
      issues,
      observed: null,
      rest: joinNumbers(parts.map((part) => part.rest)),
    };
  },
};

/** The code of whom a row's issue is with at an instant, its history being whole. */
function assigneeAt(columns: ColumnArrays, row: number, asOf: Instant): number {
  if (asOf >= (columns.updated[row] ?? 0)) return columns.fields.assignee?.[row] ?? 0;
  const from = columns.assigneeAt[row] ?? 0;
  let last = from + (columns.assigneeCount[row] ?? 0) - 1;
  while (last >= from && (columns.spanStart[last] ?? 0) > asOf) last -= 1;
  return last < from ? 0 : (columns.spanAssignee[last] ?? 0);
}
