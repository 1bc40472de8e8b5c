import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { backupInstant } from '../api/backups/create-backups.ts';
import type { CliOutput } from '../cli/cli-command.ts';
import type { RestoreParts } from '../cli/commands/restore.ts';
import { badRequestAs } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { logUpgrade } from './log-problem.ts';
import type { Settings } from './run-import.ts';

/** Runs `npx dwell restore`, without a Dwell on the folder: it is to be done while none runs. Returns the exit code. */
export async function runRestore(
  args: readonly string[],
  {
    settings,
    now,
    ...output
  }: CliOutput & { readonly settings: () => Promise<Settings>; readonly now: () => Instant },
): Promise<number> {
  const { readCommandLine } = await import('../cli/read-command-line.ts');
  const { restore } = await import('../cli/commands/restore.ts');
  const line = readCommandLine<RestoreParts>([restore], args);
  if ('help' in line) {
    output.out(line.help);
    return 0;
  }
  const { config, log } = await settings();
  return line.run({
    ...output,
    stores: {
      async restore({ file, to, isReplacing, isResumed }, onStep) {
        if (to === null && config.databaseUrl !== null) {
          throw badRequestAs(
            'not-possible-here',
            'The store is a database of PostgreSQL, which its own tools restore. Try: pg_restore --clean --if-exists --no-owner dwell.dump with the address in DATABASE_URL as --dbname.',
          );
        }
        const { restoreCopy } = await import('../store/sqlite/restore-copy.ts');
        const dataDir = resolve(to ?? config.dataDir);
        const { isScheduled, ...restored } = await restoreCopy({
          file,
          dataDir,
          copiedAt: backupInstant(basename(file)),
          isReplacing,
          secretKeys: config.secretKeys,
          newStamp: randomUUID,
          now,
          onUpgrade: () => logUpgrade(log),
          onStep,
        });
        if (!isScheduled || !isResumed) return { ...restored, posting: isScheduled ? 'paused' : 'none' };
        const { buildDwell } = await import('./build-dwell.ts');
        const dwell = await buildDwell({ ...config, dataDir, databaseUrl: null }, { now, log });
        try {
          await dwell.commandLine.restore.resume();
        } finally {
          await dwell.stop();
        }
        return { ...restored, posting: 'resumed' };
      },
    },
  });
}
