import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { type Logger, pino } from 'pino';
import { createTokens } from '../../src/api/people/tokens.ts';
import { createLocalSettings } from '../../src/api/settings/local-settings.ts';
import { inMemory } from '../../src/cache/namespace.ts';
import { createAdmission } from '../../src/concurrency/admission.ts';
import { createAnswerTurns } from '../../src/concurrency/answer-turns.ts';
import { createRestRouter } from '../../src/http/create-rest-router.ts';
import { type Directory, emptyDirectory } from '../../src/model/directory.ts';
import { openTestStore, type TestStore } from './open-test-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

type HttpParts = Parameters<typeof createRestRouter>[0];

/** Who has the token, and what is there beside the parts; the zone is UTC unless the parts have one. */
interface RestServiceOptions {
  readonly now: () => number;
  readonly user: string;
  readonly admin?: boolean;
  readonly directory?: Directory;
  readonly log?: Logger;
  readonly onRequest?: express.RequestHandler;
}

/** The REST door over some parts and the settings of a store of its own; what is not given is not there. */
export async function startRestService(
  partsOf: (store: TestStore) => Partial<HttpParts>,
  options: RestServiceOptions,
) {
  const { now, user, admin = false, directory = emptyDirectory, log = pino({ level: 'silent' }) } = options;
  const store = await openTestStore(temporaryFolder());
  const tokens = createTokens({ store, now });
  const app = express();
  if (options.onRequest !== undefined) app.use(options.onRequest);
  const settings = createLocalSettings({
    store,
    stored: inMemory,
    directory: async () => directory,
    users: async () => new Map(),
    now,
    newId: () => '00000000-0000-4000-8000-000000000001',
    checkCalendar: () => [],
  });
  const parts: Partial<HttpParts> = {
    ...{ settings, tokens, now, timeZone: 'UTC', consent: null, version: '1.2.3' },
    turns: createAnswerTurns({ inAll: 16, perPrincipal: 3, waitMs: 10_000 }),
    limits: { arrive: async () => {}, admit: async () => {} },
    admission: createAdmission({ lateMs: () => 0, random: () => 0.5, onRefused: () => {} }),
    ...{ baseUrl: 'https://dwell.example', waitingFor: async () => null, firstFill: async () => null },
    restore: { isPaused: async () => false },
    outages: () => ({ slack: null, redis: null }),
    ...partsOf(store),
  };
  app.use(createRestRouter(parts as HttpParts, log));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    token: await tokens.issue({ user, admin, lifetimeMs: 3_600_000 }),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      store.close();
    },
  };
}
