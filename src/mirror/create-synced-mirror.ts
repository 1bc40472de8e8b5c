import { AppError } from '../model/error.ts';
import type { Issue } from '../model/issue.ts';
import type { SyncStatus } from '../model/sync.ts';
import type { IssueStore } from '../store/store.ts';
import type { SightFor } from './create-sights.ts';
import type { Mirror } from './mirror.ts';

/** The mirror of a tracker that is kept fresh. `issues` are all of the store's. `sightFor` null: rules of ours decide who sees what. */
export function createSyncedMirror(
  name: string,
  store: IssueStore & { readonly issues: () => Promise<readonly Issue[]> },
  parts: { readonly status: () => Promise<SyncStatus | null>; readonly sightFor: SightFor | null },
): Mirror {
  const { status, sightFor } = parts;
  return {
    tracker: async () => name,
    filledAt: async () => (await status())?.asOf ?? null,
    issue: (key) => store.issue(key),
    async issues() {
      const current = await status();
      if (current === null || !current.filled) throw new AppError('unavailable', sayProgress(current));
      return store.issues();
    },
    directory: () => store.directory(),
    async directoryFor(asker) {
      const [directory, sight] = await Promise.all([store.directory(), sightFor?.(asker) ?? null]);
      return { ...directory, sight };
    },
    statuses: () => store.statuses(),
    users: (ids) => store.users(ids),
    recentKeys: (count) => store.recentKeys(count),
  };
}

function sayProgress(status: SyncStatus | null): string {
  const { site = '', done = 0, total = null, problem = null } = status ?? {};
  const fill = site === '' ? 'The first fill' : `The first fill from ${site}`;
  const of = total === null ? '' : ` of about ${numberText(total)}`;
  const progress = `${numberText(done)}${of} issues`;
  const single = 'Single issues can be asked for already.';
  return problem === null
    ? `${fill} is under way: ${progress}. ${single}`
    : `${fill} stands still at ${progress}: ${problem.message} ${single}`;
}

function numberText(count: number): string {
  return count.toLocaleString('en-US');
}
