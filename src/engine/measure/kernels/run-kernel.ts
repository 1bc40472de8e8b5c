import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { DurationFigures } from '../../../model/answer.ts';
import { traced } from '../../../telemetry/tracing.ts';
import { type ChosenRows, joinChosen } from '../../columns/choose-rows.ts';
import type { ColumnArrays } from '../../columns/column-arrays.ts';
import type { ScanPlan } from '../row-cursor.ts';
import { joinFound, type Scan, type ScanFound, startScan } from '../scan-rows.ts';
import { durationFigures } from '../statistics.ts';
import {
  keepAll,
  keepNone,
  SAMPLING,
  type Sampling,
  sampledBrackets,
  widerBrackets,
} from './amount-brackets.ts';
import type { AmountBrackets } from './cell-amounts.ts';
import { joinedFigures, type KernelFigures } from './join-cells.ts';
import type { KernelCells } from './kernel-cells.ts';
import type { KernelPlan, KernelRows } from './kernel-plan.ts';
import { inEachThread, lendCopy, runInWorkers, WORKERS } from './kernel-pool.ts';
import { type ChooseTask, type CondenseTask, condenseCell } from './kernel-worker.ts';
import { createKernel } from './row-kernels.ts';

/** Number of rows from which threads compute; fewer are done before the data has been sent to a thread. */
export const WORKERS_FROM = 100_000;

/** Number of rows processed between two yields: this takes some milliseconds at most. */
const SLICE_ROWS = 2048;

/** The single amounts that statistics need: around some percentiles (without any: only sums of squares), or all. */
export type NeededAmounts = { readonly percents: readonly number[] } | 'all';

/** Number of rows from which threads are used, and the parameters of brackets; tests pass their own. */
export interface KernelOptions {
  readonly workersFrom?: number | undefined;
  readonly sampling?: Sampling | undefined;
}

/**
 * Runs a kernel over the rows of a question: in steps with yields between them or, for many rows, in threads. The
 * columns must not be written to meanwhile. For percentiles, only amounts within a bracket are kept, which a sample of
 * the rows determines; a second pass keeps all amounts of cells whose bracket misses a percentile.
 */
export function runKernel(
  arrays: ColumnArrays,
  rows: KernelRows,
  plan: KernelPlan,
  {
    needed,
    workersFrom = WORKERS_FROM,
    sampling = SAMPLING,
  }: KernelOptions & { readonly needed: NeededAmounts | null },
): Promise<KernelFigures> {
  return traced('kernel', { rows: rows.rows.length }, async () => {
    const run = rows.rows.length < workersFrom ? runHere : runThere;
    const measure = async (brackets: AmountBrackets | null) =>
      joinedFigures(await run(arrays, rows, plan, brackets), brackets, plan);
    if (needed === null) return measure(null);
    if (needed === 'all') return measure(keepAll);
    const { percents } = needed;
    if (percents.length === 0) return measure(keepNone);
    const brackets = await sampledBrackets(rows, { percents, sampling }, async (sample) =>
      joinedFigures(await runHere(arrays, sample, plan, keepAll), keepAll, plan),
    );
    const figures = await measure(brackets);
    const wider = widerBrackets(brackets, figures, percents);
    if (wider === null) return figures;
    figures.amounts?.release();
    return measure(wider);
  });
}

async function runHere(
  arrays: ColumnArrays,
  rows: KernelRows,
  plan: KernelPlan,
  brackets: AmountBrackets | null,
): Promise<readonly KernelCells[]> {
  const pace = createYieldIfDue();
  const kernel = createKernel(arrays, rows, plan, brackets);
  const count = rows.rows.length;
  for (let from = 0; from < count; from += SLICE_ROWS) {
    await pace();
    kernel.add(from, Math.min(count, from + SLICE_ROWS));
  }
  return [kernel.found()];
}

async function runThere(
  arrays: ColumnArrays,
  { rows, groups }: KernelRows,
  plan: KernelPlan,
  brackets: AmountBrackets | null,
): Promise<readonly KernelCells[]> {
  const shared = { rows: lendCopy(rows), groups: groups === null ? null : lendCopy(groups) };
  const split = { rows: shared.rows.numbers, groups: shared.groups?.numbers ?? null };
  const bounds = evenBounds(arrays, rows);
  try {
    return await inEachThread((part) => {
      const [from = 0, to = 0] = bounds.slice(part);
      return runInWorkers('kernel', { arrays, rows: split, plan, brackets, from, to });
    });
  } finally {
    shared.rows.release();
    shared.groups?.release();
  }
}

/**
 * Runs a scan over the rows of a question: in steps with yields between them or, for many rows, in threads. The columns
 * must not be written to meanwhile.
 */
export function runScan<Plan extends ScanPlan, List extends string, Sum extends string>(
  arrays: ColumnArrays,
  rows: Uint32Array,
  scan: Scan<Plan, List, Sum>,
  plan: Plan,
  { workersFrom = WORKERS_FROM }: KernelOptions = {},
): Promise<ScanFound<List, Sum>> {
  const { length } = rows;
  return traced('scan', { scan: scan.name, rows: length }, async () => {
    if (length < workersFrom) {
      const pace = createYieldIfDue();
      const { add, found } = startScan(scan, arrays, plan);
      for (let offset = 0; offset < length; offset += SLICE_ROWS) {
        await pace();
        add({ rows: rows.subarray(offset, offset + SLICE_ROWS), offset });
      }
      return found();
    }
    const shared = lendCopy(rows);
    try {
      const parts = await inEachThread((part) => {
        const [from = 0, to = 0] = [part, part + 1].map((index) => Math.floor((length * index) / WORKERS));
        const own = { rows: shared.numbers.subarray(from, to), offset: from };
        return runInWorkers('scan', { name: scan.name, arrays, part: own, plan });
      });
      // The thread ran the scan of that name.
      return joinFound(parts as unknown as [ScanFound<List, Sum>, ...ScanFound<List, Sum>[]]);
    } finally {
      shared.release();
    }
  });
}

/** The statistics of several sets of durations (ms), each spread over some lists; threads compute large ones. */
export async function runFigures(
  sets: readonly (readonly Float64Array[])[],
  { workersFrom = WORKERS_FROM }: KernelOptions = {},
): Promise<readonly DurationFigures[]> {
  const sizes = sets.map((lists) => lists.reduce((sum, { length }) => sum + length, 0));
  if (sizes.reduce((sum, size) => sum + size, 0) < workersFrom) {
    const pace = createYieldIfDue();
    const figures: DurationFigures[] = [];
    for (const lists of sets) {
      await pace();
      figures.push(durationFigures(lists));
    }
    return figures;
  }
  // Each thread takes one set at a time, the largest first.
  const figures = new Map<number, DurationFigures>();
  const waiting = [...sizes.keys()].toSorted((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [one] = await runInWorkers('figures', [sets[next] ?? []]);
      if (one !== undefined) figures.set(next, one);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return sets.map((lists, i) => figures.get(i) ?? durationFigures(lists));
}

/**
 * The start of each thread's share of the rows, and the end of the last share, so that all take about as long: issues
 * that were created early have longer histories. Shares are contiguous and in order, because the index of a row decides
 * where a column came up first.
 */
function evenBounds({ statusCount, assigneeCount }: ColumnArrays, rows: Uint32Array): number[] {
  const step = Math.ceil(rows.length / SAMPLED_ROWS);
  const sums = [0];
  for (let index = 0; index < rows.length; index += step) {
    const row = rows[index];
    sums.push((sums.at(-1) ?? 0) + 1 + statusCount[row] + assigneeCount[row]);
  }
  const all = sums.at(-1) ?? 0;
  const bounds = Array.from({ length: WORKERS }, (_, part) =>
    Math.min(rows.length, step * sums.findIndex((sum) => sum >= (all * part) / WORKERS)),
  );
  return [...bounds, rows.length];
}

const SAMPLED_ROWS = 4096;

/**
 * The figure of each cell by a statistic that reads single amounts, with `zeros` additional zeros per cell; NaN if
 * there is none. The order of a cell's amounts may change.
 */
export async function condenseAmounts(
  task: CondenseTask,
  { workersFrom = WORKERS_FROM }: KernelOptions = {},
): Promise<Float64Array> {
  const { values, from, to, zeros, ranks } = task;
  if (values.length < workersFrom || !(values.buffer instanceof SharedArrayBuffer)) {
    const pace = createYieldIfDue();
    const figures = new Float64Array(zeros.length);
    for (let cell = 0; cell < zeros.length; cell += 1) {
      await pace();
      figures[cell] = condenseCell(task, cell) ?? Number.NaN;
    }
    return figures;
  }
  // Shares with about the same number of amounts.
  const bounds = [0];
  for (let cell = 0, amounts = 0; cell < zeros.length && bounds.length < WORKERS; cell += 1) {
    amounts += to[cell] - from[cell];
    if (amounts * WORKERS >= values.length * bounds.length) bounds.push(cell + 1);
  }
  const parts = await Promise.all(
    Array.from(bounds, (start, part) => {
      const [first, end] = [start, bounds[part + 1] ?? zeros.length];
      return runInWorkers('condense', {
        ...task,
        from: from.slice(first, end),
        to: to.slice(first, end),
        zeros: zeros.slice(first, end),
        ranks: ranks.slice(first, end),
      });
    }),
  );
  const figures = new Float64Array(zeros.length);
  for (const [part, own] of parts.entries()) figures.set(own, bounds[part] ?? 0);
  return figures;
}

/**
 * Chooses the rows that match a predicate in threads, with the same result as `chooseInPlace`; meant for many rows. The
 * columns must not be written to meanwhile.
 */
export async function chooseThere({ rows, ...task }: ChooseTask): Promise<ChosenRows> {
  const { numbers, release } = lendCopy(rows);
  try {
    const size = Math.ceil(rows.length / WORKERS);
    const parts = await inEachThread(async (part) => {
      const from = Math.min(rows.length, part * size);
      const own = numbers.subarray(from, from + size);
      return { from, chosen: await runInWorkers('choose', { ...task, rows: own }) };
    });
    const chosen = joinChosen(numbers, parts);
    return { ...chosen, rows: new Uint32Array(chosen.rows) };
  } finally {
    release();
  }
}
