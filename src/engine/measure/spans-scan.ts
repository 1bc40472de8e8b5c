import type { Instant } from '../../model/issue.ts';
import { causesOfCode } from '../columns/blocked-rows.ts';
import { historyFlag, rowFlag } from '../columns/column-arrays.ts';
import { isStartedCode, KINDS, kindCode } from '../columns/flow-rows.ts';
import { BLOCKED } from '../visits/blocked-visits.ts';
import type { ScanPlan } from './row-cursor.ts';
import { NumberLists, NumberSums, type Scan } from './scan-rows.ts';

/** Spans that adjoin, such as weeks. */
interface SpansPlan extends ScanPlan {
  /** The beginning of each, and the end of the last one. */
  readonly bounds: readonly Instant[];
  /** By slot: 1 where the time in it is part of `together`. */
  readonly together: Uint8Array;
}

/**
 * The issues finished in each span, in working ms. By span: `finished` has the index of each issue and `cycleMs` its cycle
 * time (NaN: none), `flows` the index of its flow, `together` its time in the slots that count together, where it was in one. `times` has by
 * span + slot × spans the time of each issue that was in the slot. By span + (kind × slots + slot) × spans `within` is the
 * time of all issues within the span in slots that are not done, and by span `inProgress` counts those in progress at its
 * end, or at `asOf` while it runs. Issues that do not count as work are in nothing of this. `lived` counts the issues that were open, or became done, in the spans, and
 * `classes` those that were finished in them by access class. `odd` lists those of `rest`
 * whose time is not in `within` either.
 */
export const spansScan: Scan<
  SpansPlan,
  'finished' | 'cycleMs' | 'flows' | 'together' | 'times' | 'odd',
  'within' | 'inProgress' | 'lived' | 'classes'
> = {
  name: 'spans',
  sink(cursor, { asOf, bounds, together: isTogether }) {
    const { created, updated, accessClass } = cursor.columns;
    const { between } = cursor;
    const count = bounds.length - 1;
    const slots = cursor.kinds.length;
    const starts = Float64Array.from(bounds);
    const [begin = 0, end = 0] = [starts[0], starts[count]];
    const whole = starts.map((start, i) => between(start, starts[i + 1] ?? start));
    const untilNow = starts.map((start) => (start < asOf ? between(start, asOf) : 0));
    const [finished, cycleMs, together] = [new NumberLists(), new NumberLists(), new NumberLists()];
    const flows = new NumberLists();
    const [times, odd, rest] = [new NumberLists(), new NumberLists(), new NumberLists()];
    const within = new NumberSums(KINDS * slots * count);
    const inProgress = new NumberSums(count);
    const lived = new NumberSums(1);
    const classes = new NumberSums();

    /** Adds a visit between two instants, span by span. */
    const addWithin = (slot: number, from: Instant, until: Instant) => {
      const kind = cursor.kinds[slot];
      const isProgress = isStartedCode(kind);
      let span = 0;
      while (span < count - 1 && starts[span + 1] <= from) span += 1;
      let at = from;
      for (; span < count && at < until; span += 1) {
        const next = starts[span + 1];
        const isWhole = at === starts[span];
        const ms =
          isWhole && until >= next
            ? whole[span]
            : isWhole && until === asOf
              ? untilNow[span]
              : between(at, Math.min(until, next));
        within.add((kind * slots + slot) * count + span, ms);
        if (isProgress && (until >= next || until === asOf)) inProgress.add(span, 1);
        at = next;
      }
    };

    /** Adds the visits up to `last`. In unknown time, slot 0, nothing is known. */
    const addVisits = (last: number) => {
      for (let visit = last, until = cursor.endAt(last); visit >= cursor.from && until > begin; visit -= 1) {
        const start = cursor.startAt(visit);
        const slot = cursor.slotAt(visit);
        if (slot !== 0 && cursor.kinds[slot] !== kindCode.done && start < end && start < until) {
          addWithin(slot, Math.max(start, begin), Math.min(until, end));
        }
        until = start;
      }
    };

    return {
      lists: { finished, cycleMs, flows, together, times, odd, rest },
      sums: { within, inProgress, lived, classes },
      add(row, index) {
        cursor.seek(row);
        if (!cursor.counts) return;
        const isClear = cursor.observe();
        const own = cursor.ownSlot();
        if (!isClear || own < 0) {
          rest.push(0, index);
          if (cursor.isFlowUnknown || cursor.has(rowFlag.odd)) odd.push(0, index);
          else addVisits(cursor.last);
          return;
        }
        // Most rows were done before the spans.
        if (cursor.kinds[own] === kindCode.done && updated[row] < begin) return;
        cursor.readWork();
        const { work, last, ended, finish } = cursor;
        if (created[row] < end && (work === last || ended >= begin)) lived.add(0, 1);
        addVisits(work);
        if (!(finish >= begin && finish < end)) return;
        let span = 0;
        while (starts[span + 1] <= finish) span += 1;
        finished.push(span, index);
        classes.add(accessClass[row], 1);
        cycleMs.push(span, cursor.cycleMs());
        flows.push(span, cursor.flow);
        cursor.readTimes(last);
        let ms = Number.NaN;
        for (let i = 0; i < cursor.times; i += 1) {
          const [slot = 0, time = 0] = [cursor.timeSlots[i], cursor.timeMs[i]];
          if (cursor.kinds[slot] !== kindCode.done) times.push(slot * count + span, time);
          if (isTogether[slot] === 1) ms = (Number.isNaN(ms) ? 0 : ms) + time;
        }
        if (!Number.isNaN(ms)) together.push(span, ms);
      },
    };
  },
};

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
