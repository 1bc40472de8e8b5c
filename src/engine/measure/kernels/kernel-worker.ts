import { getPriority, setPriority } from 'node:os';
import { parentPort, threadName } from 'node:worker_threads';
import { collectGarbage } from '../../../concurrency/collect-garbage.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Statistic } from '../../../model/request.ts';
import { type ChosenPart, chooseInPlace } from '../../columns/choose-rows.ts';
import type { ColumnArrays } from '../../columns/column-arrays.ts';
import type { RowPredicate } from '../../columns/row-predicates.ts';
import { agesScan, endedScan, movedScan, outcomesScan } from '../outcome-scans.ts';
import type { ScanPlan } from '../row-cursor.ts';
import { type Scan, type ScanFound, type ScannedRows, scanRows } from '../scan-rows.ts';
import { blockedScan, spansScan } from '../spans-scan.ts';
import { sprintScan } from '../sprint-scan.ts';
import { stagesScan } from '../stages-scan.ts';
import { createSum, deviation, durationFigures, percentOf, valueAtRank } from '../statistics.ts';
import { statusFactsScan } from '../status-facts.ts';
import type { AmountBrackets } from './cell-amounts.ts';
import type { KernelCells } from './kernel-cells.ts';
import type { KernelPlan, KernelRows } from './kernel-plan.ts';
import { createKernel } from './row-kernels.ts';

/** A range of rows for a kernel. */
interface KernelTask {
  readonly arrays: ColumnArrays;
  readonly rows: KernelRows;
  readonly plan: KernelPlan;
  /** Which single amounts are kept; null: none is looked at. */
  readonly brackets: AmountBrackets | null;
  readonly from: number;
  readonly to: number;
}

/**
 * Amounts of some cells, each from one place until before another, how many zeros count besides those of each, and the
 * rank of the percentile among them (of other statistics any).
 */
export interface CondenseTask {
  readonly values: Float64Array;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly zeros: Float64Array;
  readonly ranks: Float64Array;
  readonly statistic: Statistic;
}

/** Rows among which to find those for which a predicate holds as of an instant. */
export interface ChooseTask {
  readonly arrays: ColumnArrays;
  readonly rows: Uint32Array;
  readonly predicate: RowPredicate;
  readonly asOf: Instant;
}

/** A part of the rows for a scan, by the scan's name. */
interface ScanTask {
  readonly name: string;
  readonly arrays: ColumnArrays;
  readonly part: ScannedRows;
  readonly plan: ScanPlan;
}

/** All scans, by whose names threads are sent them. */
const scans = [
  spansScan,
  outcomesScan,
  agesScan,
  endedScan,
  sprintScan,
  statusFactsScan,
  movedScan,
  stagesScan,
  blockedScan,
];

/** The tasks that a worker runs by name: functions of plain data that neither wait nor know of anything else. */
const tasks = {
  kernel({ arrays, rows, plan, brackets, from, to }: KernelTask): KernelCells {
    const kernel = createKernel(arrays, rows, plan, brackets);
    kernel.add(from, to);
    return kernel.found();
  },
  scan({ name, arrays, part, plan }: ScanTask): ScanFound {
    // The plan is one of the scan of that name.
    const scan = scans.find((one) => one.name === name) as Scan<ScanPlan> | undefined;
    if (scan === undefined) throw new Error(`There is no scan '${name}'.`);
    return scanRows(scan, arrays, part, plan);
  },
  choose: ({ arrays, rows, predicate, asOf }: ChooseTask): ChosenPart =>
    chooseInPlace(predicate, arrays, rows, asOf),
  figures: (sets: readonly (readonly Float64Array[])[]) => sets.map(durationFigures),
  condense: (task: CondenseTask): Float64Array =>
    Float64Array.from(task.zeros, (_, cell) => condenseCell(task, cell) ?? Number.NaN),
  /** Frees whatever earlier tasks were handed. */
  collect(_input: null): void {
    collectGarbage({ isLast: false });
  },
};

export type WorkerTasks = typeof tasks;

/** The figure of one cell; null where there is none. Its amounts may change their order. */
export function condenseCell(
  { values, from, to, zeros, ranks, statistic }: CondenseTask,
  cell: number,
): number | null {
  const own = values.subarray(from[cell], to[cell]);
  if (own.length === 0) return null;
  const { type } = statistic;
  if (percentOf(statistic) !== null) return valueAtRank(own, ranks[cell]);
  if (type === 'standardDeviation') return deviation(own, zeros[cell], statistic.deviation);
  const sum = createSum();
  for (const value of own) sum.add(value);
  return type === 'sum' ? sum.total() : sum.total() / (own.length + zeros[cell]);
}

/** The message that the pool sends; a `WorkerReply` answers it. */
export interface WorkerRequest {
  readonly id: number;
  readonly task: keyof WorkerTasks;
  readonly input: unknown;
}

export type WorkerReply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: unknown };

/** Nice by so much: where processors are short, the thread that answers goes first. */
const NICENESS = 10;

/** The large arrays of what a kernel found, which are handed over instead of copied. */
function ownArrays(output: unknown): ArrayBuffer[] {
  if (typeof output !== 'object' || output === null || !('amounts' in output)) return [];
  const { amounts } = output as KernelCells;
  return amounts === null ? [] : [amounts.values.buffer];
}

/** The name of the pool's threads. */
export const KERNEL_THREAD = 'kernel';

// Elsewhere this would be said of the whole process.
if (threadName === KERNEL_THREAD && process.platform === 'linux' && getPriority() < NICENESS) {
  setPriority(NICENESS);
}

parentPort?.on('message', ({ id, task, input }: WorkerRequest) => {
  // The pool's types see to it that the input is the task's.
  const run = tasks[task] as (input: unknown) => unknown;
  try {
    const output = run(input);
    parentPort?.postMessage({ id, output } satisfies WorkerReply, ownArrays(output));
  } catch (error) {
    parentPort?.postMessage({ id, error } satisfies WorkerReply);
  }
});
