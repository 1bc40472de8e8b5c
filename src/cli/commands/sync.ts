import type { SyncOutcome } from '../../api/sync.ts';
import { AppError } from '../../model/error.ts';
import type { Introduction } from '../../model/introduction.ts';
import type { CliParts, Command } from '../command.ts';
import { accountText, introductionLine } from '../introduction-line.ts';
import { printable } from '../printable.ts';
import { readOptions } from '../read-options.ts';
import { syncLines } from '../sync-lines.ts';
import { createSyncProgress } from '../sync-progress.ts';

/** Tells who is there, brings what is kept of Jira up to date once, and tells what came of it. */
export const sync: Command = {
  name: 'sync',
  usage: 'sync [--compare] [--accept-removals] [--accept-address]',
  summary:
    "bring what is kept of Jira's issues up to date now; --compare also compares all ids, when each issue was updated, its status and its assignee, --accept-removals lets even very many issues go that Jira does not show any more, --accept-address goes on with the issues kept here when the same Jira has a new address",
  async run(args, parts) {
    const { values } = readOptions(args, sync.usage, {
      compare: { type: 'boolean', default: false },
      'accept-removals': { type: 'boolean', default: false },
      'accept-address': { type: 'boolean', default: false },
    });
    if ((await parts.tracker()) !== 'jira') {
      throw new AppError('bad-request', 'There is nothing to synchronise', [
        'Jira is not configured as the tracker; .env.example tells of the settings that begin with JIRA_.',
      ]);
    }
    const acceptRemovals = values['accept-removals'];
    const introduced: Introduction[] = [];
    for await (const one of parts.sync.introduce()) {
      parts.out(printable(introductionLine(one)));
      introduced.push(one);
    }
    const before = await parts.sync.status();
    const wasFilled = before?.filled ?? false;
    const wish = {
      // Only a comparison finds what is gone.
      compare: values.compare || acceptRemovals,
      acceptRemovals,
      ...(values['accept-address'] ? { acceptAddress: true } : {}),
    };
    const outcome = await runOnce(wish, parts);
    if (before !== null && before.issues > 0 && before.site !== outcome.site) {
      parts.out(
        printable(`Jira has moved from ${before.site} to ${outcome.site}; the issues kept here stay.`),
      );
    }
    for (const line of syncLines(outcome)) parts.out(printable(line));
    const doubt = outcome.filled && outcome.issues === 0 ? doubtOf(introduced) : null;
    if (doubt !== null) parts.out(printable(doubt));
    return outcome.problem !== null || (doubt !== null && !wasFilled) ? 1 : 0;
  },
};

async function runOnce(
  wish: Parameters<CliParts['sync']['run']>[0],
  { sync: api, progress, now }: CliParts,
): Promise<SyncOutcome> {
  const progressOf = createSyncProgress(now);
  try {
    return await api.run(wish, (status) => progress(progressOf(status)));
  } finally {
    progress('');
  }
}

/** What to look at where there is no issue at all; null where none is asked for. */
function doubtOf(introduced: readonly Introduction[]): string | null {
  const issues = introduced.find((one) => one.about === 'issues' || isUntold(one, 'issues'));
  if (issues === undefined) return null;
  const account = introduced.find((one) => one.about === 'account');
  const who = account === undefined ? 'our account' : accountText(account);
  const wish = issues.about === 'issues' && issues.wish !== null ? ` (JIRA_JQL: ${issues.wish})` : '';
  const query = wish === '' ? '' : ' Does JIRA_JQL say what is meant?';
  return `Jira shows ${who} no issue${wish}. Is the account right, and may it browse the projects?${query}`;
}

function isUntold(one: Introduction, what: string): boolean {
  return one.about === 'untold' && one.what === what;
}
