import { AppError } from '../../model/error.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { CliParts, Command } from '../command.ts';
import { printable } from '../printable.ts';
import { readOptions } from '../read-options.ts';
import { syncLines } from '../sync-lines.ts';
import { createSyncProgress } from '../sync-progress.ts';

/** Brings what is kept of Jira up to date once, and tells how it stands. */
export const sync: Command = {
  name: 'sync',
  usage: 'sync [--compare] [--accept-removals]',
  summary:
    "bring what is kept of Jira's issues up to date now; --compare holds all of them against Jira, --accept-removals takes away whatever Jira does not show any more, however much it is",
  async run(args, parts) {
    const { values } = readOptions(args, sync.usage, {
      compare: { type: 'boolean', default: false },
      'accept-removals': { type: 'boolean', default: false },
    });
    if ((await parts.tracker()) !== 'jira') {
      throw new AppError('bad-request', 'There is nothing to synchronise', [
        'Jira is not configured as the tracker; .env.example tells of the settings that begin with JIRA_.',
      ]);
    }
    const acceptRemovals = values['accept-removals'];
    // Only a comparison finds what is gone.
    const status = await runOnce({ compare: values.compare || acceptRemovals, acceptRemovals }, parts);
    for (const line of syncLines(status)) parts.out(printable(line));
    return status.problem === null ? 0 : 1;
  },
};

async function runOnce(
  wish: { readonly compare: boolean; readonly acceptRemovals: boolean },
  { sync: api, progress, now }: CliParts,
): Promise<SyncStatus> {
  const progressOf = createSyncProgress(now);
  try {
    return await api.run(wish, (status) => progress(progressOf(status)));
  } finally {
    progress('');
  }
}
