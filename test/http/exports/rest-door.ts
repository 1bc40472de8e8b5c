import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import type { DelegationApi } from '../../../src/api/delegations/delegation-api.ts';
import type { ExportsApi } from '../../../src/api/exports/exports-api.ts';
import { createTokens } from '../../../src/api/people/tokens.ts';
import { createLocalSettings } from '../../../src/api/settings/local-settings.ts';
import { inMemory } from '../../../src/cache/backing.ts';
import { createRestRouter } from '../../../src/http/create-rest-router.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import { anIssue } from '../../support/issue-story.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { smallWorld } from '../../support/small-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AT = '2026-03-18T12:00:00Z';
const BASE = 'https://dwell.example/time';

/** The REST door over one issue, exports and delegations that are played, and what it has logged. */
export async function restDoor(played: Partial<ExportsApi>, delegations: Partial<DelegationApi> = {}) {
  const store = openTestStore(temporaryFolder());
  const now = () => Date.parse(AT);
  const tokens = createTokens({ store: store.tokens, tenant: store.tenant, now });
  const logged: string[] = [];
  const left = Promise.withResolvers<void>();
  const app = express();
  app.use((_request, response, next) => {
    response.once('close', () => setImmediate(left.resolve));
    next();
  });
  app.use(
    createRestRouter(
      {
        reporting: smallWorld(AT, [anIssue('WEB-1', '2026-03-02T09:00:00Z').issue]),
        settings: createLocalSettings({
          settings: store.settings,
          stored: inMemory,
          directory: async () => emptyDirectory,
          users: async () => new Map(),
          now,
          newId: () => '00000000-0000-4000-8000-000000000001',
          checkCalendar: () => [],
        }),
        exports: { ...nothingExpected, ...played },
        delegations: { ...noDelegations, ...delegations },
        answers: undefined as never,
        people: undefined as never,
        events: undefined as never,
        consent: null,
        tokens,
        now,
        timeZone: 'UTC',
        version: '1.2.3',
        baseUrl: BASE,
        waitingFor: async () => null,
        firstFill: async () => null,
      },
      pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
    ),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = addressOf(server.address());
  const token = await tokens.issue({ user: 'ada', admin: false, lifetimeMs: 60_000 });
  const headers = { Authorization: `TISJWT ${token}` };
  return {
    url: `http://127.0.0.1:${port}`,
    baseUrl: BASE,
    headers,
    logged,
    /** Settles once the first answer has come to its end, in good order or not. */
    left: left.promise,
    ask: (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method, headers }),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      store.close();
    },
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address;
}

const unexpected = async (): Promise<never> => {
  throw new Error('nobody was to ask for this');
};

const nothingExpected: ExportsApi = {
  count: unexpected,
  now: unexpected,
  queue: unexpected,
  get: unexpected,
  list: unexpected,
  abort: unexpected,
  file: unexpected,
  ticket: unexpected,
  fileByTicket: unexpected,
  preview: unexpected,
};

const noDelegations: DelegationApi = {
  rightOf: unexpected,
  delegatesOf: unexpected,
  delegatorsOf: unexpected,
  chainOf: unexpected,
  coverage: unexpected,
  categories: unexpected,
  delegation: unexpected,
  delegations: unexpected,
  create: unexpected,
  update: unexpected,
  end: unexpected,
  versions: unexpected,
  permitCategories: unexpected,
  createCategory: unexpected,
  updateCategory: unexpected,
  deleteCategory: unexpected,
  delegateTimes: unexpected,
};
