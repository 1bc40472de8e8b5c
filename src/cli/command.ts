import type { FileProgress, FillSummary } from '../api/import-files.ts';
import type { Tokens } from '../api/tokens.ts';

/** What commands work with; `out` and `err` take whole lines, `progress` overwrites one where a person watches. */
export interface CliParts {
  readonly tokens: Tokens;
  importFiles(files: readonly string[], onProgress: (progress: FileProgress) => void): Promise<FillSummary>;
  out(line: string): void;
  progress(line: string): void;
}

/** One command of the command line. `run` returns the exit code. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  run(args: readonly string[], parts: CliParts): Promise<number>;
}
