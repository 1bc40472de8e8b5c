import { createLocalRegister } from '../../../src/api/register/create-local-register.ts';
import { registerCases } from '../../contract/register-cases.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

registerCases(async ({ users, categories, delegations, now }) => {
  const store = openTestStore(temporaryFolder());
  const known = new Map(users.map((user) => [user.id, user]));
  const register = createLocalRegister({
    store: async () => store.delegations('sample'),
    directory: async () => ({ categories, delegations }),
    users: async () => known,
    now: () => now,
  });
  return { register, close: async () => store.close() };
});
