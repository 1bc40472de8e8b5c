import { defaultTenant } from '../../src/model/request.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store, TenantStore } from '../../src/store/store.ts';

/** A store, and in it the tenant that tests have. */
export type TestStore = TenantStore & Omit<Store, 'forTenant'>;

/** Opens the store of a folder, for one tenant. */
export function openTestStore(dataDir: string, onUpgrade?: () => void): TestStore {
  const { forTenant, ...store } = openSqliteStore(dataDir, onUpgrade);
  return { ...forTenant(defaultTenant), ...store };
}
