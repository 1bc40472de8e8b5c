import type { Instant } from '../../model/issue.ts';
import { causesOfCode } from '../columns/blocked-rows.ts';
import { historyFlag } from '../columns/column-arrays.ts';
import { isStartedCode, kindCode } from '../columns/flow-rows.ts';
import { BLOCKED } from '../visits/blocked-visits.ts';
import type { ScanPlan } from './row-cursor.ts';
import { NumberLists, NumberSums, type Scan } from './scan-rows.ts';

/** Spans that adjoin, such as weeks. */
interface BlockedPlan extends ScanPlan {
  /** The beginning of each, and the end of the last one. */
  readonly bounds: readonly Instant[];
  /** By flow: 1 where blocked time of an active stage is not active. */
  readonly stops: Uint8Array;
}

/**
 * Blocked time of started work within spans, in working ms: by span `blocked` sums it, `issues` lists the issues that have some by
 * index, and `stopped` is the part of it in active stages of flows in which it is not active. Issues that do not count as work have none.
 */
export const blockedScan: Scan<BlockedPlan, 'issues', 'blocked' | 'stopped'> = {
  name: 'blocked',
  sink(cursor, { asOf, bounds, stops }) {
    const history = cursor.columns.histories[BLOCKED];
    const count = bounds.length - 1;
    const starts = Float64Array.from(bounds);
    const [rest, issues] = [new NumberLists(), new NumberLists()];
    const [blocked, stopped] = [new NumberSums(count), new NumberSums(count)];

    /** Adds the time in which the row at hand was started, from an instant until another. */
    const addStarted = (from: Instant, until: Instant, span: number): boolean => {
      let isFound = false;
      for (let visit = cursor.last; visit >= cursor.from && cursor.endAt(visit) > from; visit -= 1) {
        const kind = cursor.kindAt(visit);
        const start = Math.max(cursor.startAt(visit), from);
        const end = Math.min(cursor.endAt(visit), until);
        if (!isStartedCode(kind) || start >= end) continue;
        const ms = cursor.between(start, end);
        blocked.add(span, ms);
        if (kind === kindCode.active && stops[cursor.flow] === 1) stopped.add(span, ms);
        isFound = true;
      }
      return isFound;
    };

    return {
      lists: { rest, issues },
      sums: { blocked, stopped },
      add(row, index) {
        const flags = history?.flags[row] ?? historyFlag.needsIssue;
        if (history !== undefined && flags === 0 && history.count[row] === 0) return;
        cursor.seek(row);
        if (!cursor.counts) return;
        if (history === undefined || (flags & historyFlag.needsIssue) !== 0 || cursor.isFlowUnknown)
          return rest.push(0, index);
        const first = history.at[row];
        const end = first + (history.count[row] ?? 0);
        for (let span = 0; span < count; span += 1) {
          const [begin, over] = [starts[span], Math.min(starts[span + 1], asOf)];
          let isFound = false;
          for (let visit = first; visit < end; visit += 1) {
            if (causesOfCode(history.codes[visit] ?? 0) === 0) continue;
            const from = Math.max(history.starts[visit], begin);
            const until = visit + 1 < end ? Math.min(history.starts[visit + 1], over) : over;
            if (from < until) isFound = addStarted(from, until, span) || isFound;
          }
          if (isFound) issues.push(span, index);
        }
      },
    };
  },
};
