import type { Issue } from '../model/issue.ts';
import type { SyncStatus } from '../model/sync.ts';
import type { IssueStore } from '../store/store.ts';
import type { SightFor } from './create-sights.ts';
import type { Mirror } from './mirror.ts';

/** The mirror of a tracker that is kept fresh. `issues` are all of the store's. `sightFor` null: rules of ours decide who sees what. */
export function createSyncedMirror(
  _name: string,
  _store: IssueStore & { readonly issues: () => Promise<readonly Issue[]> },
  _parts: { readonly status: () => Promise<SyncStatus | null>; readonly sightFor: SightFor | null },
): Mirror {
  throw new Error('to come');
}
