import type { Issue } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';
import type { SyncStore } from '../store/sync-store.ts';

/** Issues that came into a store, are not as they were, or went out of it. */
interface Written {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}

/** The same stores, counting what is written by way of them. */
export function countWritten<Issues extends IssueStore>(
  issues: Issues,
  sync: SyncStore,
): { readonly issues: Issues; readonly sync: SyncStore; readonly written: () => Written } {
  let [added, updated, removed] = [0, 0, 0];
  const counting: Issues = {
    ...issues,
    async putIssues(incoming, merge) {
      const known = new Set<Issue>();
      const kept = await issues.putIssues(incoming, (before, told) => {
        known.add(told);
        return merge(before, told);
      });
      for (const [place, issue] of incoming.entries()) {
        if (kept[place]?.changed !== true) continue;
        if (known.has(issue)) updated += 1;
        else added += 1;
      }
      return kept;
    },
  };
  return {
    issues: counting,
    sync: {
      ...sync,
      async removeIssues(ids) {
        const before = await issues.count();
        await sync.removeIssues(ids);
        removed += Math.max(0, before - (await issues.count()));
      },
    },
    written: () => ({ added, updated, removed }),
  };
}
