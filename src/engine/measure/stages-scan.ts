import type { Instant } from '../../model/issue.ts';
import { rowFlag } from '../columns/column-arrays.ts';
import { isStartedCode, kindCode } from '../columns/flow-rows.ts';
import { placeAfter } from '../columns/sort-rows.ts';
import type { ScanPlan } from './row-cursor.ts';
import { NumberLists, NumberSums, type Scan } from './scan-rows.ts';

/** The stages of flows, and the times at which issues in them are counted. */
interface StagesPlan extends ScanPlan {
  /** By flow, the index of the stage of each slot. */
  readonly stages: readonly Uint16Array[];
  readonly stageCount: number;
  /** Instants in their order, none after `asOf`. */
  readonly instants: readonly Instant[];
  /** The beginning of each span that adjoins the next one, and the end of the last one. */
  readonly bounds: readonly Instant[];
}

/**
 * Issues by stage. `changes` has by instant + stage × (instants + 1) by how much more issues are in the stage just before the
 * instant than just before the one before it; `arrived` counts by span those that were created in it. `open` lists by stage
 * the index of each issue that is started and not done now, `ages` the working ms since its start. `finished` lists the index
 * of each issue finished in the spans that has a cycle time, `finishedAt` when, `cycleMs` the cycle time, and `left` by stage the
 * working ms from the start of each of them until it last left the stage. Issues that do not count as work are in nothing of
 * this. Those of `rest` have no more than changes and arrivals, those of `odd` among them not even these.
 */
export const stagesScan: Scan<
  StagesPlan,
  'open' | 'ages' | 'finished' | 'finishedAt' | 'cycleMs' | 'left' | 'odd',
  'changes' | 'arrived'
> = {
  name: 'stages',
  sink(cursor, { asOf, stages, stageCount, instants, bounds }) {
    const { created, updated } = cursor.columns;
    const width = instants.length + 1;
    const times = Float64Array.from(instants);
    const starts = Float64Array.from(bounds);
    const [first = asOf, final = asOf] = [instants[0], instants.at(-1)];
    const [begin = 0, end = 0] = [bounds[0], bounds.at(-1)];
    const [open, ages, finished] = [new NumberLists(), new NumberLists(), new NumberLists()];
    const [finishedAt, cycleMs, left] = [new NumberLists(), new NumberLists(), new NumberLists()];
    const [odd, rest] = [new NumberLists(), new NumberLists()];
    const changes = new NumberSums(stageCount * width);
    const arrived = new NumberSums(bounds.length - 1);
    const leftAt = new Float64Array(stageCount);

    /** Counts the row at each instant. In unknown time, slot 0, it is in no stage. */
    const addChanges = (stageOf: Uint16Array) => {
      for (let visit = cursor.last, until = cursor.endAt(visit); visit >= cursor.from; visit -= 1) {
        if (until < first) return;
        const start = updated[cursor.row] < first ? Number.NEGATIVE_INFINITY : cursor.startAt(visit);
        const slot = cursor.slotAt(visit);
        const since = start < first ? 0 : placeAfter(times, start);
        const after = until >= final ? times.length : placeAfter(times, until);
        if (slot !== 0 && since < after) {
          const stage = stageOf[slot];
          changes.add(stage * width + since, 1);
          changes.add(stage * width + after, -1);
        }
        until = start;
      }
    };

    /** Lists since when the row's issue was at work whenever it last left a started stage. */
    const addLeft = (stageOf: Uint16Array) => {
      leftAt.fill(-1);
      for (let visit = cursor.progress; visit <= cursor.work; visit += 1) {
        if (isStartedCode(cursor.kindAt(visit))) leftAt[stageOf[cursor.slotAt(visit)]] = visit;
      }
      for (let stage = 0; stage < stageCount; stage += 1)
        if (leftAt[stage] >= 0) left.push(stage, cursor.msSinceStart(leftAt[stage]));
    };

    return {
      lists: { open, ages, finished, finishedAt, cycleMs, left, odd, rest },
      sums: { changes, arrived },
      add(row, index) {
        cursor.seek(row);
        if (!cursor.counts) return;
        if (cursor.isFlowUnknown || cursor.has(rowFlag.odd)) {
          odd.push(0, index);
          rest.push(0, index);
          return;
        }
        const stageOf = stages[cursor.flow];
        if (created[row] >= begin && created[row] < end) arrived.add(placeAfter(starts, created[row]) - 1, 1);
        addChanges(stageOf);
        const own = cursor.ownSlot();
        const kind = own < 0 ? kindCode.unknown : cursor.kinds[own];
        // Most rows wait for their start or were done before: they are in nothing but the counts.
        if (kind === kindCode.queue) return;
        if (kind === kindCode.done && (updated[row] < begin || cursor.startAt(cursor.last) < begin)) return;
        if (!cursor.observe() || own < 0) return rest.push(0, index);
        cursor.readWork();
        if (isStartedCode(kind)) {
          open.push(stageOf[own], index);
          ages.push(stageOf[own], cursor.msSinceStart(cursor.last));
          return;
        }
        const { finish } = cursor;
        if (!(finish >= begin && finish < end)) return;
        if (cursor.progress < 0) return;
        finished.push(0, index);
        finishedAt.push(0, finish);
        cycleMs.push(0, cursor.cycleMs());
        addLeft(stageOf);
      },
    };
  },
};
