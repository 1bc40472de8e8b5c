import { openTrackerIssues, type TrackerIssues } from '../../src/mirror/lists/tracker-issues.ts';
import { openSyncRecords, type SyncRecords } from '../../src/mirror/sync/sync-records.ts';
import { defaultTenant } from '../../src/model/request.ts';
import type { OnUpgrade, Store, TenantStore } from '../../src/store/store.ts';
import { storeEngine } from './store-engine.ts';

/** A store, and in it the tenant that tests have; of a tracker, issues come with its lists, and so does its synchronisation. */
export interface TestStore extends TenantStore, Omit<Store, 'forTenant'> {
  issues(tracker: string): TrackerIssues;
  sync(tracker: string): SyncRecords;
}

/** Opens the store of a folder, for one tenant, over the engine that the runner was started with. */
export async function openTestStore(
  dataDir: string,
  onUpgrade?: OnUpgrade,
  name = defaultTenant,
): Promise<TestStore> {
  // What is read in one turn of the event loop is read once: what is written from now on is for the next.
  await new Promise((next) => setImmediate(next));
  const { forTenant, ...store } = await storeEngine.openStore(dataDir, { ...(onUpgrade && { onUpgrade }) });
  const tenant = forTenant(name);
  return {
    ...tenant,
    ...store,
    issues: (tracker) => openTrackerIssues(tenant, tracker),
    sync: (tracker) => openSyncRecords(tenant, tracker),
  };
}
