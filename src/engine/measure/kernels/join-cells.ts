import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import { SQUARE_PARTS } from '../statistics.ts';
import type { AmountBrackets, AmountsFound } from './cell-amounts.ts';
import { addExactly, emptyCells, type KernelCells, NumberIndex } from './kernel-cells.ts';
import type { KernelPlan } from './kernel-plan.ts';
import { sharedPool } from './kernel-pool.ts';

/** The result of a kernel, with single amounts if statistics need them. */
export interface KernelFigures {
  readonly found: KernelCells;
  readonly amounts: KernelAmounts | null;
}

/** The single amounts of each cell, and its bracket. */
export interface KernelAmounts extends Omit<AmountsFound, 'values'> {
  readonly values: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Gives back the memory of `values`, which must not be read afterwards. */
  release(): void;
}

/** Joins the results of all parts of the rows, and adds the brackets of the cells. */
export async function joinedFigures(
  parts: readonly KernelCells[],
  brackets: AmountBrackets | null,
  { groups, keys }: KernelPlan,
): Promise<KernelFigures> {
  const { found, cellOf } = await joined(parts, groups * keys);
  if (brackets === null) return { found, amounts: null };
  const size = found.cells.length;
  const low = new Float64Array(size).fill(
    brackets.keepsOthers ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  );
  const high = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  for (const [i, number] of brackets.cells.entries()) {
    const cell = cellOf.find(number);
    if (cell < 0) continue;
    low[cell] = brackets.low[i];
    high[cell] = brackets.high[i];
  }
  return { found, amounts: { ...(await joinedAmounts(parts, size, cellOf)), low, high } };
}

/** Joins the single amounts of all parts; those of one cell follow each other in the order of the parts. */
async function joinedAmounts(
  parts: readonly KernelCells[],
  size: number,
  cellOf: NumberIndex,
): Promise<Omit<KernelAmounts, 'low' | 'high'>> {
  const [only] = parts;
  if (parts.length === 1 && only?.amounts != null) return { ...only.amounts, release() {} };
  const squares = new Float64Array(size * SQUARE_PARTS);
  const [below, inside] = [new Uint32Array(size), new Uint32Array(size)];
  const starts = new Float64Array(size + 1);
  const pace = createYieldIfDue();
  const eachCell = async (take: (cell: number, amounts: AmountsFound, i: number) => void) => {
    for (const { cells, amounts } of parts) {
      for (let i = 0; amounts !== null && i < cells.length; i += 1) {
        if (i % CELLS_AT_ONCE === 0) await pace();
        take(cellOf.find(cells[i]), amounts, i);
      }
    }
  };
  const keptOf = ({ starts: own }: AmountsFound, i: number) => own[i + 1] - own[i];
  await eachCell((cell, amounts, i) => {
    below[cell] += amounts.below[i];
    inside[cell] += amounts.inside[i];
    starts[cell + 1] += keptOf(amounts, i);
    for (let part = 0; part < SQUARE_PARTS; part += 1) {
      const at = cell * SQUARE_PARTS + part;
      squares[at] += amounts.squares[i * SQUARE_PARTS + part];
    }
  });
  for (let cell = 0; cell < size; cell += 1) starts[cell + 1] += starts[cell];
  const count = starts[size];
  const lease = sharedPool.lend(count * Float64Array.BYTES_PER_ELEMENT);
  const values = new Float64Array(lease.buffer, 0, count);
  const next = starts.slice();
  await eachCell((cell, amounts, i) => {
    values.set(amounts.values.subarray(amounts.starts[i], amounts.starts[i + 1]), next[cell]);
    next[cell] += keptOf(amounts, i);
  });
  return { squares, below, inside, values, starts, release: lease.release };
}

/** Joins the results of consecutive parts of the rows to those of all; `cellOf` finds a cell by its number. */
async function joined(
  parts: readonly KernelCells[],
  max: number,
): Promise<{ readonly found: KernelCells; readonly cellOf: NumberIndex }> {
  const pace = createYieldIfDue();
  const cellOf = new NumberIndex(max);
  const numbers: number[] = [];
  for (const { cells } of parts) {
    for (let i = 0; i < cells.length; i += 1) {
      if (i % CELLS_AT_ONCE === 0) await pace();
      const number = cells[i];
      if (cellOf.find(number) >= 0) continue;
      cellOf.add(number, numbers.length);
      numbers.push(number);
    }
  }
  const all = emptyCells(numbers.length);
  all.cells.set(numbers);
  all.first.fill(0xffffffff);
  for (const part of parts) {
    for (let i = 0; i < part.cells.length; i += 1) {
      if (i % CELLS_AT_ONCE === 0) await pace();
      const cell = cellOf.find(part.cells[i]);
      all.counts[cell] += part.counts[i];
      all.visits[cell] += part.visits[i];
      all.uncertain[cell] += part.uncertain[i];
      all.observed[cell] |= part.observed[i];
      addExactly(all.sums, all.lostSums, cell, part.sums[i]);
      all.lostSums[cell] += part.lostSums[i];
      if (part.first[i] >= all.first[cell]) continue;
      all.first[cell] = part.first[i];
      all.firstStatus[cell] = part.firstStatus[i];
      all.firstOther[cell] = part.firstOther[i];
    }
  }
  const sumOf = (lists: readonly Uint32Array[]) =>
    new Uint32Array(lists[0]?.length ?? 0).map((_, group) =>
      lists.reduce((sum, list) => sum + (list[group] ?? 0), 0),
    );
  const found = {
    ...all,
    others: joinedOthers(parts),
    issues: sumOf(parts.map(({ issues }) => issues)),
    unknown: sumOf(parts.map(({ unknown }) => unknown)),
    fallback: oneAfterOther(parts.map(({ fallback }) => fallback)),
    amounts: null,
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

/** Number of cells processed between two yields: this takes about a millisecond. */
const CELLS_AT_ONCE = 8192;

function joinedOthers(parts: readonly KernelCells[]): Float64Array {
  const byCode = new Map<number, [first: number, last: number, observed: number]>();
  for (const { others } of parts) {
    for (let i = 0; i < others.length; i += 4) {
      const [code = 0, first = 0, last = 0, observed = 0] = others.subarray(i, i + 4);
      const known = byCode.get(code);
      byCode.set(code, [known?.[0] ?? first, last, (known?.[2] ?? 0) | observed]);
    }
  }
  return Float64Array.from([...byCode].flatMap(([code, facts]) => [code, ...facts]));
}
