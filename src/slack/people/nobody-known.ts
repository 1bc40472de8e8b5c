import type { SyncStatus } from '../../model/sync.ts';
import { siteText } from '../status/sync-lines.ts';

/** Why nobody in the tracker is known yet, so that no link would help: in a sentence (mrkdwn). Null: nothing is kept fresh. */
export function nobodyKnown(sync: SyncStatus | null): string {
  if (sync === null || sync.filled) {
    return 'I know nobody in the tracker yet: people come from Jira (an admin sets `JIRA_*`, also beside `TIS_*`) or from an import.';
  }
  const state = sync.problem === null ? 'is under way' : 'stands still';
  return `I know nobody in the tracker yet: people come with the first fill${siteText(sync.site)}, which ${state}.`;
}
