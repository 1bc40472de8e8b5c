import { figureRow, type Row } from './rows.ts';

/**
 * One suite. `quick`: the sizes of a bare `npm run bench` (null: it is left out), `usual`: of the suite by its name,
 * `full`: with `--full`, those of all its promises. A suite without sizes takes its own.
 */
export interface Suite {
  readonly name: string;
  readonly about: string;
  readonly quick: readonly number[] | null;
  readonly usual: readonly number[];
  readonly full: readonly number[];
  /** The page of `docs` that its table is written to; absent: performance.md. */
  readonly page?: string;
  run(sizes: readonly number[]): Promise<readonly Row[]>;
}

/** The rows of each size, one after the other; a size that fails is a fault of the run, and the others go on. */
export async function rowsBySize(
  suite: string,
  sizes: readonly number[],
  rowsOf: (size: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const size of sizes) {
    try {
      rows.push(...(await rowsOf(size)));
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      rows.push(figureRow({ suite, name: 'ended early', size, unit: '' }, Number.NaN, { fault }));
    }
  }
  return rows;
}
