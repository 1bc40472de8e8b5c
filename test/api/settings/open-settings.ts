import { createLocalSettings } from '../../../src/api/settings/local-settings.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { storedIn } from '../../support/stored-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const opened = new Set<TestStore>();

/** Closes the stores of settings that a test has opened. */
export function closeSettings(): void {
  for (const store of opened) store.close();
  opened.clear();
}

type SettingsParts = Parameters<typeof createLocalSettings>[0];

/** Settings over a store that is open until `close` or `closeSettings`; the clock starts at 1000 and stands still. Ids count from `id 1`. */
export async function openSettings({
  dataDir = temporaryFolder(),
  known = [],
  ...parts
}: Partial<SettingsParts> & { readonly dataDir?: string; readonly known?: readonly string[] } = {}) {
  const store = await openTestStore(dataDir);
  opened.add(store);
  const clock = { now: 1000 };
  let ids = 0;
  const api = createLocalSettings({
    store,
    stored: storedIn(store, () => clock.now),
    directory: async () => emptyDirectory,
    users: async () => new Map(known.map((id) => [id, { id, name: id }])),
    now: () => clock.now,
    newId: () => `id ${++ids}`,
    checkCalendar: () => [],
    ...parts,
  });
  const close = () => {
    store.close();
    opened.delete(store);
  };
  return { api, store, clock, close };
}
