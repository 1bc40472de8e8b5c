import { afterEach } from '#jest';
import { openTestStore, type TestStore } from './open-test-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const opened: TestStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** Opens the store of a folder, or a new one, until the test is over, unless the test closes it before. */
export async function aStore(
  dataDir = temporaryFolder(),
  ...more: readonly [onUpgrade?: () => void, tenant?: string]
): Promise<TestStore> {
  const { close, ...store } = await openTestStore(dataDir, ...more);
  let closed: Promise<void> | null = null;
  const closable = { ...store, close: () => (closed ??= close()) };
  opened.push(closable);
  return closable;
}
