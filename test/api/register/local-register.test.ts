import { createLocalRecords } from '../../../src/api/delegations/local-delegation-records.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { registerCases } from '../../contract/register-cases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

registerCases(async ({ users, categories, delegations, now }) => {
  const store = openSqliteStore(temporaryFolder());
  const known = new Map(users.map((user) => [user.id, user]));
  const register = createLocalRecords({
    store: async () => store.delegations('sample'),
    directory: async () => ({ categories, delegations }),
    users: async () => known,
    now: () => now,
  });
  return { register, close: async () => store.close() };
});
