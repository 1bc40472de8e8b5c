import type { Row } from './rows.ts';

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
  run(sizes: readonly number[]): Promise<readonly Row[]>;
}
