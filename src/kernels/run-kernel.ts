import { type ChosenRows, joinChosen } from '../columns/choose-rows.ts';
import type { ColumnArrays } from '../columns/column-arrays.ts';
import { createYieldIfDue } from '../concurrency/cooperative-yield.ts';
import type { Scan, ScanFound, ScanPlan } from '../engine/scan-rows.ts';
import { durationFigures } from '../engine/statistics.ts';
import type { DurationFigures } from '../model/answer.ts';
import {
  addExactly,
  type KernelCells,
  type KernelOutput,
  NumberIndex,
  type ValuePlaces,
} from './kernel-cells.ts';
import type { KernelPlan, KernelRows } from './kernel-plan.ts';
import { runInWorkers, settled, WORKERS } from './kernel-pool.ts';
import { type ChooseTask, type CondenseTask, condenseCell } from './kernel-worker.ts';
import { createKernel } from './row-kernels.ts';
import { lendCopy, sharedPool } from './shared-memory.ts';

/** From so many rows on workers compute; fewer are done before one has been sent them. */
export const WORKERS_FROM = 100_000;

/** So many rows at one go, some milliseconds at most. */
const SLICE_ROWS = 2048;

/** What a kernel found, and each amount where statistics need them: sums are then theirs alone. */
export interface KernelFigures {
  readonly found: KernelCells;
  readonly amounts: KernelAmounts | null;
}

/** Of each cell the amounts from `starts[cell]` up to `starts[cell + 1]`, in order of the rows. */
export interface KernelAmounts {
  readonly values: Float64Array;
  readonly starts: Float64Array;
  /** Nobody looks at them any more. */
  release(): void;
}

/** How many rows workers are for; tests choose. */
export interface KernelOptions {
  readonly workersFrom?: number | undefined;
}

/**
 * Goes through the rows of a question: one after the other, with pauses for others, or, of many, in threads. Nobody must
 * write to the columns meanwhile.
 */
export async function runKernel(
  arrays: ColumnArrays,
  rows: KernelRows,
  plan: KernelPlan,
  { needsAmounts, workersFrom = WORKERS_FROM }: KernelOptions & { readonly needsAmounts: boolean },
): Promise<KernelFigures> {
  const run = rows.rows.length < workersFrom ? runHere : runThere;
  return run(arrays, rows, plan, needsAmounts);
}

async function runHere(
  arrays: ColumnArrays,
  rows: KernelRows,
  plan: KernelPlan,
  needsAmounts: boolean,
): Promise<KernelFigures> {
  const pace = createYieldIfDue();
  const goThrough = async (output: KernelOutput) => {
    const kernel = createKernel(arrays, rows, plan, output);
    const count = rows.rows.length;
    for (let from = 0; from < count; from += SLICE_ROWS) {
      const rest = pace();
      if (rest !== null) await rest;
      kernel.add(from, Math.min(count, from + SLICE_ROWS));
    }
    return kernel.found();
  };
  const found = await goThrough(needsAmounts ? 'counts' : 'sums');
  if (!needsAmounts) return { found, amounts: null };
  const starts = startsOf(found.counts);
  const values = new Float64Array(starts.at(-1) ?? 0);
  await goThrough({ cells: found.cells, next: starts.slice(), values });
  return { found, amounts: { values, starts, release() {} } };
}

async function runThere(
  arrays: ColumnArrays,
  { rows, groups }: KernelRows,
  plan: KernelPlan,
  needsAmounts: boolean,
): Promise<KernelFigures> {
  const shared = { rows: lendCopy(rows), groups: groups === null ? null : lendCopy(groups) };
  const split = { rows: shared.rows.numbers, groups: shared.groups?.numbers ?? null };
  const bounds = evenBounds(arrays, rows);
  const inEach = (outputOf: (part: number) => KernelOutput) =>
    settled(
      Array.from({ length: WORKERS }, (_, part) =>
        runInWorkers('kernel', {
          ...{ arrays, rows: split, plan, output: outputOf(part) },
          ...{ from: bounds[part] ?? 0, to: bounds[part + 1] ?? 0 },
        }),
      ),
    );
  try {
    const parts = await inEach(() => (needsAmounts ? 'counts' : 'sums'));
    const { found, cellOf } = await joined(parts, plan.groups * plan.keys);
    if (!needsAmounts) return { found, amounts: null };
    const starts = startsOf(found.counts);
    const count = starts.at(-1) ?? 0;
    const lease = sharedPool.lend(count * Float64Array.BYTES_PER_ELEMENT);
    const values = new Float64Array(lease.buffer, 0, count);
    const next = starts.slice(0, -1);
    const places: ValuePlaces[] = [];
    const pace = createYieldIfDue();
    for (const { cells, counts } of parts) {
      places.push({ cells: found.cells, next: next.slice(), values });
      for (let i = 0; i < cells.length; i += 1) {
        const rest = i % CELLS_AT_ONCE === 0 ? pace() : null;
        if (rest !== null) await rest;
        const cell = cellOf.find(cells[i] ?? 0);
        next[cell] = (next[cell] ?? 0) + (counts[i] ?? 0);
      }
    }
    await inEach((part) => places[part] ?? 'counts');
    return { found, amounts: { values, starts, release: lease.release } };
  } finally {
    shared.rows.release();
    shared.groups?.release();
  }
}

/**
 * Passes over the rows of a question once: part by part, with pauses for others, or, of many, in threads. Nobody must
 * write to the columns meanwhile.
 */
export async function runScan<Plan extends ScanPlan, Found extends ScanFound>(
  arrays: ColumnArrays,
  rows: Uint32Array,
  scan: Scan<Plan, Found>,
  plan: Plan,
  { workersFrom = WORKERS_FROM }: KernelOptions = {},
): Promise<Found> {
  const { length } = rows;
  if (length < workersFrom) {
    const pace = createYieldIfDue();
    const parts: Found[] = [];
    for (let from = 0; from === 0 || from < length; from += SLICE_ROWS) {
      const rest = pace();
      if (rest !== null) await rest;
      parts.push(scan.scan(arrays, { rows: rows.subarray(from, from + SLICE_ROWS), offset: from }, plan));
    }
    return scan.join(parts);
  }
  const shared = lendCopy(rows);
  try {
    const parts = await settled(
      Array.from({ length: WORKERS }, (_, part) => {
        const [from = 0, to = 0] = [part, part + 1].map((index) => Math.floor((length * index) / WORKERS));
        const own = { rows: shared.numbers.subarray(from, to), offset: from };
        return runInWorkers('scan', { name: scan.name, arrays, part: own, plan });
      }),
    );
    // What comes back is what the scan of that name found.
    return scan.join(parts as unknown as readonly Found[]);
  } finally {
    shared.release();
  }
}

/** The figures of several sets of durations, each in some lists: in threads where there are many durations. */
export async function runFigures(
  sets: readonly (readonly Float64Array[])[],
  { workersFrom = WORKERS_FROM }: KernelOptions = {},
): Promise<readonly DurationFigures[]> {
  const sizes = sets.map((lists) => lists.reduce((sum, { length }) => sum + length, 0));
  if (sizes.reduce((sum, size) => sum + size, 0) < workersFrom) {
    const pace = createYieldIfDue();
    const figures: DurationFigures[] = [];
    for (const lists of sets) {
      const rest = pace();
      if (rest !== null) await rest;
      figures.push(durationFigures(lists));
    }
    return figures;
  }
  // One by one, the largest first, for whoever is free.
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
 * Where the share of each thread begins, and where that of the last one ends, so that all take about as long: issues that
 * were created long ago have longer histories. Shares follow each other, for what came up first is told by place.
 */
function evenBounds({ statusCount, assigneeCount }: ColumnArrays, rows: Uint32Array): number[] {
  const step = Math.ceil(rows.length / SAMPLED_ROWS);
  const sums = [0];
  for (let place = 0; place < rows.length; place += step) {
    const row = rows[place] ?? 0;
    sums.push((sums.at(-1) ?? 0) + 1 + (statusCount[row] ?? 0) + (assigneeCount[row] ?? 0));
  }
  const all = sums.at(-1) ?? 0;
  const bounds = Array.from({ length: WORKERS }, (_, part) =>
    Math.min(rows.length, step * sums.findIndex((sum) => sum >= (all * part) / WORKERS)),
  );
  return [...bounds, rows.length];
}

const SAMPLED_ROWS = 4096;

/** Where the amounts of each cell begin, and where those of the last one end. */
function startsOf(counts: Uint32Array): Float64Array<ArrayBuffer> {
  const starts = new Float64Array(counts.length + 1);
  for (let cell = 0; cell < counts.length; cell += 1) {
    starts[cell + 1] = (starts[cell] ?? 0) + (counts[cell] ?? 0);
  }
  return starts;
}

/** What was found in parts of the rows, one after the other, as if it was found in all of them at once; and each cell by its number. */
async function joined(
  parts: readonly KernelCells[],
  most: number,
): Promise<{ readonly found: KernelCells; readonly cellOf: NumberIndex }> {
  const pace = createYieldIfDue();
  const cellOf = new NumberIndex(most);
  const numbers: number[] = [];
  for (const { cells } of parts) {
    for (let i = 0; i < cells.length; i += 1) {
      const rest = i % CELLS_AT_ONCE === 0 ? pace() : null;
      if (rest !== null) await rest;
      const number = cells[i] ?? 0;
      if (cellOf.find(number) >= 0) continue;
      cellOf.add(number, numbers.length);
      numbers.push(number);
    }
  }
  const size = numbers.length;
  const [sums, rests, visits] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const [counts, uncertain, met] = [new Uint32Array(size), new Uint32Array(size), new Uint8Array(size)];
  const [first, firstStatus, firstOther] = [
    new Uint32Array(size).fill(0xffffffff),
    new Uint32Array(size),
    new Uint32Array(size),
  ];
  for (const part of parts) {
    for (let i = 0; i < part.cells.length; i += 1) {
      const rest = i % CELLS_AT_ONCE === 0 ? pace() : null;
      if (rest !== null) await rest;
      const cell = cellOf.find(part.cells[i] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + (part.counts[i] ?? 0);
      visits[cell] = (visits[cell] ?? 0) + (part.visits[i] ?? 0);
      uncertain[cell] = (uncertain[cell] ?? 0) + (part.uncertain[i] ?? 0);
      met[cell] = (met[cell] ?? 0) | (part.met[i] ?? 0);
      addExactly(sums, rests, cell, part.sums[i] ?? 0);
      rests[cell] = (rests[cell] ?? 0) + (part.rests[i] ?? 0);
      if ((part.first[i] ?? 0) >= (first[cell] ?? 0)) continue;
      first[cell] = part.first[i] ?? 0;
      firstStatus[cell] = part.firstStatus[i] ?? 0;
      firstOther[cell] = part.firstOther[i] ?? 0;
    }
  }
  const sumOf = (lists: readonly Uint32Array[]) =>
    new Uint32Array(lists[0]?.length ?? 0).map((_, group) =>
      lists.reduce((sum, list) => sum + (list[group] ?? 0), 0),
    );
  const found = {
    ...{ cells: Float64Array.from(numbers), counts, sums, rests, visits, uncertain, met },
    ...{ first, firstStatus, firstOther, others: joinedOthers(parts) },
    issues: sumOf(parts.map(({ issues }) => issues)),
    unknown: sumOf(parts.map(({ unknown }) => unknown)),
    asked: oneAfterOther(parts.map(({ asked }) => asked)),
  };
  return { found, cellOf };
}

function oneAfterOther(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

/** A millisecond or so. */
const CELLS_AT_ONCE = 8192;

function joinedOthers(parts: readonly KernelCells[]): Float64Array {
  const byCode = new Map<number, [first: number, last: number, met: number]>();
  for (const { others } of parts) {
    for (let i = 0; i < others.length; i += 4) {
      const [code = 0, first = 0, last = 0, met = 0] = others.subarray(i, i + 4);
      const known = byCode.get(code);
      byCode.set(code, [known?.[0] ?? first, last, (known?.[2] ?? 0) | met]);
    }
  }
  return Float64Array.from([...byCode].flatMap(([code, facts]) => [code, ...facts]));
}

/**
 * The figure of each cell by a statistic that looks at single amounts; `zeros` of a cell count besides them. NaN where
 * there is none. The amounts of a cell may change their order.
 */
export async function condenseAmounts(
  task: CondenseTask,
  { workersFrom = WORKERS_FROM }: KernelOptions = {},
): Promise<Float64Array> {
  const { values, from, to, zeros } = task;
  if (values.length < workersFrom || !(values.buffer instanceof SharedArrayBuffer)) {
    const pace = createYieldIfDue();
    const figures = new Float64Array(zeros.length);
    for (let cell = 0; cell < zeros.length; cell += 1) {
      const rest = pace();
      if (rest !== null) await rest;
      figures[cell] = condenseCell(task, cell) ?? Number.NaN;
    }
    return figures;
  }
  // Shares of about as many amounts.
  const bounds = [0];
  for (let cell = 0, amounts = 0; cell < zeros.length && bounds.length < WORKERS; cell += 1) {
    amounts += (to[cell] ?? 0) - (from[cell] ?? 0);
    if (amounts * WORKERS >= values.length * bounds.length) bounds.push(cell + 1);
  }
  const parts = await Promise.all(
    Array.from(bounds, (start, part) => {
      const [first, end] = [start, bounds[part + 1] ?? zeros.length];
      return runInWorkers('condense', {
        ...task,
        ...{ from: from.slice(first, end), to: to.slice(first, end), zeros: zeros.slice(first, end) },
      });
    }),
  );
  const figures = new Float64Array(zeros.length);
  for (const [part, own] of parts.entries()) figures.set(own, bounds[part] ?? 0);
  return figures;
}

/**
 * The rows for which a predicate holds, as `chooseInPlace` finds them, in threads: that is for many rows. Nobody must
 * write to the columns meanwhile.
 */
export async function chooseThere({ rows, ...task }: ChooseTask): Promise<ChosenRows> {
  const { numbers, release } = lendCopy(rows);
  try {
    const size = Math.ceil(rows.length / WORKERS);
    const parts = await settled(
      Array.from({ length: WORKERS }, async (_, part) => {
        const from = Math.min(rows.length, part * size);
        const own = numbers.subarray(from, from + size);
        return { from, chosen: await runInWorkers('choose', { ...task, rows: own }) };
      }),
    );
    const chosen = joinChosen(numbers, parts);
    return { ...chosen, rows: new Uint32Array(chosen.rows) };
  } finally {
    release();
  }
}
