import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import type { ImportParts } from '../cli/commands/import.ts';
import type { Instant } from '../model/issue.ts';
import { defaultTenant } from '../model/request.ts';
import { startScanThread } from '../trackers/file/scan-thread.ts';
import type { Config } from './config.ts';
import { upgradeText } from './log-problem.ts';

/**
 * The growth of the heap, in percent, after which garbage is collected. Most objects of an import are short-lived, and
 * V8's own rule lets the heap grow with the number of issues.
 */
const GROWING_PERCENT = 25;

/** The settings of the environment, and their log. */
export interface Settings {
  readonly config: Config;
  readonly log: Logger;
}

/**
 * Runs `npx dwell import` with the store alone: to load all that a Dwell is made of would take as long as to read some
 * thousand issues. What is needed is loaded while the thread that reads the files starts. Returns the exit code.
 */
export async function runImport(
  args: readonly string[],
  {
    settings,
    now,
    ...output
  }: Omit<ImportParts, 'importFiles'> & {
    readonly settings: () => Promise<Settings>;
    readonly now: () => Instant;
  },
): Promise<number> {
  // An option, or a word that is none, is no file of any size.
  const thread = await startScanThread(args.slice(1));
  try {
    const { readCommandLine } = await import('../cli/read-command-line.ts');
    const { importCommand } = await import('../cli/commands/import.ts');
    const line = readCommandLine([importCommand], args);
    if ('help' in line) {
      output.out(line.help);
      return 0;
    }
    const { config } = await settings();
    const { importFiles } = await import('../api/tracker/import-files.ts');
    const { loadStore } = await import('../store/open-store.ts');
    const openStore = await loadStore(config);
    // With another flag, what Node compiled before does not fit: nothing is loaded from here on.
    setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
    const opened = await openStore({
      onUpgrade: (progress) => output.progress(`Upgrading the store: ${upgradeText(progress)}`),
      now,
    });
    const store = opened.forTenant(defaultTenant);
    try {
      return await line.run({
        ...output,
        importFiles: (files, onProgress) => importFiles(files, { store, now, onProgress, thread }),
      });
    } finally {
      await opened.close();
    }
  } finally {
    await thread?.terminate();
  }
}
