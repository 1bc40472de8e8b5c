import { spawnSync } from 'node:child_process';
import type { FileFormat } from '../../src/output/workbook.ts';

/** Another program that reads files. */
export interface Reader {
  readonly name: string;
  readonly format: FileFormat['id'];
  readonly isInstalled: () => boolean;
  /** Reads a file; what it needs for itself goes to a folder. Throws when the program fails or takes too long. */
  readonly read: (path: string, folder: string) => readonly ReadSheet[];
  /** A cell as the program is known to tell it, where it cannot but tell it otherwise. */
  readonly limit: (cell: ReadCell) => ReadCell;
}

const MAX_MS = 300_000;

/** Runs a program; throws with what it complains of. */
export function run(program: string, words: readonly string[]): void {
  // Decimal signs and dates are those of the locale.
  const { error, status, signal, stderr } = spawnSync(program, words, {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    timeout: MAX_MS,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ended with ${status ?? signal}: ${stderr.trim()}`);
}

/** Whether a program is there and can do what it is asked. */
export function runs(program: string, words: readonly string[]): boolean {
  try {
    run(program, words);
    return true;
  } catch {
    return false;
  }
}

/** A cell as another program reads it; a date is a day (yyyy-MM-dd) or a clock (yyyy-MM-dd HH:mm:ss). */
export type ReadCell =
  | string
  | number
  | boolean
  | null
  | { readonly date: string }
  /** What no file of ours holds: formulas, errors. */
  | { readonly foreign: string };

/** A sheet with its titles as the first row; cells that are missing at the end of a row are empty. */
export interface ReadSheet {
  readonly name: string;
  readonly rows: readonly (readonly ReadCell[])[];
}
