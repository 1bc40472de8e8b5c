import { createServer } from 'node:http';
import express from 'express';
import { pino } from 'pino';
import { describe } from '#jest';
import { createDelegations } from '../../src/api/delegations/create-delegations.ts';
import { createLocalRecords } from '../../src/api/delegations/local-delegation-records.ts';
import { createTokens } from '../../src/api/people/tokens.ts';
import { createKeychainRecords } from '../../src/hosted/create-keychain-records.ts';
import { createRestRouter } from '../../src/http/create-rest-router.ts';
import { httpSurroundings } from '../../src/http-surroundings.ts';
import { defaultDelegationPermissions } from '../../src/model/delegation.ts';
import { type OpenRegister, type RegisterWorld, registerCases } from '../contract/register-cases.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe.each(['basic', 'bearer'] as const)('our own service, read by the client with %s', (kind) => {
  registerCases((world) => openOwn(world, kind), kind === 'basic' ? 'Europe/Berlin' : 'Asia/Kathmandu');
});

/** The REST door over a local register, and the client that knows nothing of it. */
async function openOwn(world: RegisterWorld, kind: 'basic' | 'bearer'): Promise<OpenRegister> {
  const { categories, delegations, timeZone } = world;
  const store = openTestStore(temporaryFolder());
  const now = () => world.now;
  const known = new Map(world.users.map((user) => [user.id, user]));
  const users = async () => known;
  const tokens = createTokens({ store: store.tokens, tenant: store.tenant, now });
  const token = await tokens.issue({ user: 'ada', admin: true, lifetimeMs: 3_600_000 });
  const kept = store.delegations('sample');
  const register = createLocalRecords({
    store: async () => kept,
    directory: async () => ({ categories, delegations }),
    users,
    now,
  });
  const app = express().use(
    createRestRouter(
      {
        delegations: createDelegations({
          records: register,
          permissions: async () => defaultDelegationPermissions,
          groups: async () => [],
          users,
          now,
        }),
        tokens,
        now,
        timeZone,
        reporting: undefined as never,
        settings: undefined as never,
        exports: undefined as never,
        answers: undefined as never,
        people: undefined as never,
        events: undefined as never,
        consent: null,
        version: '1.2.3',
        baseUrl: 'https://dwell.example',
        waitingFor: async () => null,
        firstFill: async () => null,
      },
      pino({ level: 'silent' }),
    ),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    register: createKeychainRecords(
      {
        baseUrl: `http://127.0.0.1:${port}`,
        credentials: kind === 'basic' ? { kind, user: 'ada', password: token } : { kind, token },
        timeZone,
      },
      httpSurroundings(now),
    ),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      store.close();
    },
  };
}
