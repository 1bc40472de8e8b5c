import type { Instant } from '../../model/issue.ts';
import { isStartedCode, kindCode } from '../columns/flow-rows.ts';
import { type ScanPlan, SILENT } from './row-cursor.ts';
import { NumberLists, type Scan } from './scan-rows.ts';

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
