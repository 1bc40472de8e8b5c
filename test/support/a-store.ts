import { afterEach } from '#jest';
import { openTestStore, type TestStore } from './open-test-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const opened: TestStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** Opens the store of a folder, or a new one, until the test is over. */
export async function aStore(
  dataDir = temporaryFolder(),
  ...more: readonly [onUpgrade?: () => void, tenant?: string]
): Promise<TestStore> {
  const store = await openTestStore(dataDir, ...more);
  opened.push(store);
  return store;
}
