import { importFiles } from './api/import-files.ts';
import { runWithHelp } from './cli/cli-command.ts';
import { type ImportParts, importCommand } from './cli/commands/import.ts';
import type { Instant } from './model/issue.ts';
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts';

/**
 * Runs `dwell import` with the store alone: to load all that a Dwell is made of would take as long as to read some
 * thousand issues. Returns the exit code.
 */
export async function runImport(
  args: readonly string[],
  {
    dataDir,
    onUpgrade,
    now,
    ...out
  }: Omit<ImportParts, 'importFiles'> & {
    readonly dataDir: string;
    readonly onUpgrade: () => void;
    readonly now: () => Instant;
  },
): Promise<number> {
  const store = openSqliteStore(dataDir, onUpgrade);
  try {
    return await runWithHelp(importCommand, args, {
      ...out,
      importFiles: (files, onProgress) => importFiles(files, store, now, onProgress),
    });
  } finally {
    store.close();
  }
}
