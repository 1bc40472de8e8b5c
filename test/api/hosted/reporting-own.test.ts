import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { pino } from 'pino';
import { describe } from '#jest';
import { createHostedReporting } from '../../../src/api/hosted/reporting/create-hosted-reporting.ts';
import { createLocalSettings } from '../../../src/api/settings/local-settings.ts';
import { createTokens } from '../../../src/api/tokens.ts';
import { inMemory } from '../../../src/cache/backing.ts';
import { createRestRouter } from '../../../src/http/create-rest-router.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { type OpenReporting, reportingCases } from '../../contract/reporting-cases.ts';
import { caseDirectory, caseNow, caseReporting } from '../../support/case-reporting.ts';
import { caseWorld } from '../../support/case-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { hostedClient } from './hosted-client.ts';

describe('our own service, read by the client', () => {
  reportingCases(openOwn);
});

/** The REST door over our own engine, and the client that knows nothing of it. */
async function openOwn(): Promise<OpenReporting> {
  const store = openSqliteStore(temporaryFolder());
  const tokens = createTokens(store.tokens, caseNow);
  const token = await tokens.issue({ user: caseWorld.principal, admin: false, lifetimeMs: 3_600_000 });
  const settings = createLocalSettings({
    settings: store.settings,
    stored: inMemory,
    directory: async () => caseDirectory,
    users: async () => new Map(),
    now: caseNow,
    newId: () => '00000000-0000-4000-8000-000000000001',
    checkCalendar: () => [],
  });
  const app = express().use(
    createRestRouter(
      {
        reporting: caseReporting(),
        settings,
        tokens,
        now: caseNow,
        timeZone: caseWorld.timeZone,
        exports: undefined as never,
        delegations: undefined as never,
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
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = hostedClient({ baseUrl: `http://127.0.0.1:${port}`, token });
  return {
    reporting: createHostedReporting(client, { now: caseNow, timeZone: 'UTC' }),
    async close() {
      await client.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      store.close();
    },
  };
}
