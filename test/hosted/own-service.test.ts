import { describe } from '#jest';
import { createDelegations } from '../../src/api/delegations/create-delegations.ts';
import { createLocalRecords } from '../../src/api/delegations/local-delegation-records.ts';
import { httpSurroundings } from '../../src/compose/http-surroundings.ts';
import { createKeychainRecords } from '../../src/hosted/create-keychain-records.ts';
import { defaultDelegationPermissions } from '../../src/model/delegation.ts';
import { type OpenRegister, type RegisterWorld, registerCases } from '../contract/register-cases.ts';
import { startRestService } from '../support/rest-service.ts';

describe.each(['basic', 'bearer'] as const)('our own service, read by the client with %s', (kind) => {
  registerCases((world) => openOwn(world, kind), kind === 'basic' ? 'Europe/Berlin' : 'Asia/Kathmandu');
});

/** The REST door over local records, and the client that knows nothing of them. */
async function openOwn(world: RegisterWorld, kind: 'basic' | 'bearer'): Promise<OpenRegister> {
  const { categories, delegations, timeZone } = world;
  const now = () => world.now;
  const known = new Map(world.users.map((user) => [user.id, user]));
  const users = async () => known;
  const { url, token, close } = await startRestService(
    (store) => {
      const stored = store.documents('sample').delegations;
      const records = createLocalRecords({
        store: async () => stored,
        directory: async () => ({ categories, delegations }),
        users,
        now,
      });
      const permissions = async () => defaultDelegationPermissions;
      return {
        timeZone,
        delegations: createDelegations({ records, permissions, groups: async () => [], users, now }),
      };
    },
    { now, user: 'ada', admin: true },
  );
  const credentials = kind === 'basic' ? { kind, user: 'ada', password: token } : { kind, token };
  return {
    register: createKeychainRecords({ baseUrl: url, credentials, timeZone }, httpSurroundings(now)),
    close,
  };
}
