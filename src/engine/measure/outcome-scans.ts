import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, codeThen } from '../columns/column-arrays.ts';
import { isStartedCode, kindCode } from '../columns/flow-rows.ts';
import { type ScanPlan, SILENT } from './row-cursor.ts';
import { NumberLists, NumberSums, type Scan } from './scan-rows.ts';

/**
 * The outcomes of all issues together, in working ms: `cycleMs` lists the cycle times of those that have one, `times` by
 * slot of a status that is not done the time of each issue that was in it. `finished` counts issues that are done and
 * count as finished work.
 */
export const outcomesScan: Scan<ScanPlan, 'cycleMs' | 'times', 'finished'> = {
  name: 'outcomes',
  sink(cursor) {
    const [cycleMs, times, rest] = [new NumberLists(), new NumberLists(), new NumberLists()];
    const finished = new NumberSums(1);
    return {
      lists: { cycleMs, times, rest },
      sums: { finished },
      add(row, index) {
        cursor.seek(row);
        const isClear = cursor.observe();
        const own = cursor.ownSlot();
        if (!isClear || own < 0) return rest.push(0, index);
        cursor.readWork();
        cursor.readTimes(cursor.work);
        for (let i = 0; i < cursor.times; i += 1) {
          const slot = cursor.timeSlots[i];
          if (cursor.kinds[slot] !== kindCode.done) times.push(slot, cursor.timeMs[i]);
        }
        if (cursor.kinds[own] !== kindCode.done || !cursor.countsFinish()) return;
        finished.add(0, 1);
        const ms = cursor.cycleMs();
        if (!Number.isNaN(ms)) cycleMs.push(0, ms);
      },
    };
  },
};

/** The key of a slot (there are `slots` of them) in an access class, or in a group of classes. */
export const keyOfSlot = (slot: number, group: number, slots: number) => group * slots + slot;

/** The group of the started issues of an access class; those that are not started are in the group before it. */
const startedGroup = (accessClass: number) => accessClass * 2 + 1;

/** Issues that are assigned to someone (`assignees`: 1 by code of `values('assignee')`), or all (null). */
interface AgesPlan extends ScanPlan {
  readonly assignees: Uint8Array | null;
}

/**
 * Open issues: by group of `startedGroup` and slot (`keyOfSlot`) the index of each and the working ms since it came into its
 * status; of started ones also the cycle time so far (`work`, NaN: a kind in its history is unknown) and the index of the
 * flow that it is work of (-1: of none). `classes` counts them by access class. Issues that do not count as work are among those of an assignee only.
 */
export const agesScan: Scan<AgesPlan, 'indexes' | 'ages' | 'work' | 'flows', 'classes'> = {
  name: 'ages',
  sink(cursor, { assignees }) {
    const { accessClass } = cursor.columns;
    const slots = cursor.kinds.length;
    const [indexes, ages, rest] = [new NumberLists(), new NumberLists(), new NumberLists()];
    const [work, flows] = [new NumberLists(), new NumberLists()];
    const classes = new NumberSums();
    return {
      lists: { indexes, ages, work, flows, rest },
      sums: { classes },
      add(row, index) {
        cursor.seek(row);
        if (!cursor.counts && assignees === null) return;
        const isClear = cursor.observe();
        const own = cursor.ownSlot();
        const kind = own < 0 ? kindCode.unknown : cursor.kinds[own];
        if (kind === kindCode.unknown) return rest.push(0, index);
        if (kind === kindCode.done) return;
        const { asOf, last } = cursor;
        if (assignees !== null && assignees[assigneeThen(cursor.columns, row, asOf)] !== 1) return;
        const ownClass = accessClass[row];
        const isStarted = isStartedCode(kind);
        const group = startedGroup(ownClass) - Number(!isStarted);
        const key = keyOfSlot(own, group, slots);
        indexes.push(key, index);
        ages.push(key, cursor.between(cursor.startAt(last), asOf));
        if (isStarted) {
          cursor.readWork();
          work.push(key, isClear ? cursor.msSinceStart(last) : Number.NaN);
          flows.push(key, cursor.counts ? cursor.flow : -1);
        }
        classes.add(ownClass, 1);
      },
    };
  },
};

/** Visits that ended at an instant or later, up to `asOf`. */
interface EndedPlan extends ScanPlan {
  readonly since: Instant;
  /** By access class: the group its issues count in, or -1. */
  readonly groups: Int32Array;
}

/** Ended visits: the working ms of each by group and slot (`keyOfSlot`); `classes` counts their issues by access class. */
export const endedScan: Scan<EndedPlan, 'ms', 'classes'> = {
  name: 'ended',
  sink(cursor, { since, groups }) {
    const { updated, accessClass } = cursor.columns;
    const slots = cursor.kinds.length;
    const [ms, rest] = [new NumberLists(), new NumberLists()];
    const classes = new NumberSums();
    return {
      lists: { ms, rest },
      sums: { classes },
      add(row, index) {
        const own = accessClass[row];
        const group = groups[own] ?? -1;
        if (group < 0 || updated[row] < since) return;
        cursor.seek(row);
        if (!cursor.speaks) return rest.push(0, index);
        let isCounted = false;
        for (let visit = cursor.last - 1; visit >= cursor.from; visit -= 1) {
          const end = cursor.endAt(visit);
          if (end < since) break;
          const slot = cursor.slotAt(visit);
          if (slot === 0) continue;
          ms.push(keyOfSlot(slot, group, slots), cursor.between(cursor.startAt(visit), end));
          isCounted = true;
        }
        if (isCounted) classes.add(own, 1);
      },
    };
  },
};

/** The code of the assignee of a row's issue at an instant, its history being whole. */
function assigneeThen(columns: ColumnArrays, row: number, asOf: Instant): number {
  if (asOf < columns.updated[row]) return codeThen(columns, 'assignee', row, asOf);
  return columns.fields.assignee?.[row] ?? 0;
}

/** The instant with which statuses are compared. */
interface MovedPlan extends ScanPlan {
  readonly since: Instant;
}

/** The keys of the lists: started since for the first time, or in another status than then in any other way. */
export const movedKey = { started: 0, moved: 1 } as const;

/**
 * Issues that are in another status than at `since`: by one of `movedKey` the index of each (`issues`), and when it came to its
 * status (`at`). New issues that no one began are in neither, nor are those that were done then and still are.
 */
export const movedScan: Scan<MovedPlan, 'issues' | 'at', never> = {
  name: 'moved',
  sink(cursor, { since }) {
    const { updated } = cursor.columns;
    const [issues, at, rest] = [new NumberLists(), new NumberLists(), new NumberLists()];
    return {
      lists: { issues, at, rest },
      sums: {},
      add(row, index) {
        if (updated[row] < since) return;
        cursor.seek(row);
        if (!cursor.counts) return;
        if (cursor.isFlowUnknown || cursor.has(SILENT)) return rest.push(0, index);
        const { from, last } = cursor;
        if (last < from || cursor.startAt(last) < since) return;
        let before = last - 1;
        while (before >= from && cursor.startAt(before) >= since) before -= 1;
        const kind = cursor.kindAt(last);
        const isStarted = isStartedCode(kind);
        let isStart = isStarted;
        if (before < from) {
          if (!isStarted) return;
        } else {
          const wasDone = cursor.kindAt(before) === kindCode.done;
          if (cursor.slotAt(before) === cursor.slotAt(last) || (wasDone && kind === kindCode.done)) return;
          isStart &&= !wasDone;
          for (let visit = before; isStart && visit >= from; visit -= 1)
            isStart = !isStartedCode(cursor.kindAt(visit));
        }
        const key = isStart ? movedKey.started : movedKey.moved;
        issues.push(key, index);
        at.push(key, cursor.startAt(last));
      },
    };
  },
};
