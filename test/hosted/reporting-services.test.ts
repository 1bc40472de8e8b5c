import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { pino } from 'pino';
import { describe } from '#jest';
import { createTokens } from '../../src/api/people/tokens.ts';
import { createLocalSettings } from '../../src/api/settings/local-settings.ts';
import { inMemory } from '../../src/cache/backing.ts';
import { createHostedReporting } from '../../src/hosted/create-hosted-reporting.ts';
import { createRestRouter } from '../../src/http/create-rest-router.ts';
import { type OpenReporting, type ReportingDialect, reportingCases } from '../contract/reporting-cases.ts';
import { caseDirectory, caseNow, caseReporting } from '../support/case-reporting.ts';
import { caseWorld } from '../support/case-world.ts';
import { openTestStore } from '../support/open-test-store.ts';
import {
  startStandInTimepiece,
  type TimepieceOptions,
  timepieceToken,
} from '../support/stand-in-timepiece.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { tisClient } from './start-tis.ts';

describe('our own service, read by the client', () => {
  reportingCases(openOwn);
});

const dialect: ReportingDialect = {
  precision: 'minute',
  cannotTell: {
    'consolidated statuses': 'how a request defines one is not documented',
    'the levels of a column': 'no answer of two levels has been seen',
    'the state of a metric': 'answers hold the figure alone',
    'the contents of an answer': 'security levels are no field that the service is known to have',
    'visits of any field': 'rows of visits are known to name statuses only',
    'what is not known of an issue': 'histories are taken to be whole',
    'since when an issue is where it is':
      'answers hold the figure of now; its beginning is asked for where the status is shown',
  },
};

const settings: readonly TimepieceOptions[] = [
  { expandedDates: 'start', unknownKeys: 'refused', deviation: 'population' },
  {
    expandedDates: 'end',
    unknownKeys: 'left out',
    deviation: 'sample',
    allIssues: 'allIssues',
    metricColumns: 'named',
    metricSpelling: 'ids',
  },
];

describe.each(settings)(
  'the product, its visits dated by their $expandedDates, unknown keys $unknownKeys, deviations of a $deviation',
  (options) => {
    reportingCases(() => openProduct(options), dialect);
  },
);

/** The REST door over our own engine. */
async function openOwn(): Promise<OpenReporting> {
  const store = openTestStore(temporaryFolder());
  const tokens = createTokens({ store: store.tokens, tenant: store.tenant, now: caseNow });
  const token = await tokens.issue({ user: caseWorld.principal, admin: false, lifetimeMs: 3_600_000 });
  const app = express().use(
    createRestRouter(
      {
        reporting: caseReporting(),
        settings: createLocalSettings({
          settings: store.settings,
          stored: inMemory,
          directory: async () => caseDirectory,
          users: async () => new Map(),
          now: caseNow,
          newId: () => '00000000-0000-4000-8000-000000000001',
          checkCalendar: () => [],
        }),
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
  return reading({ baseUrl: `http://127.0.0.1:${port}`, token }, async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    store.close();
  });
}

async function openProduct(options: TimepieceOptions): Promise<OpenReporting> {
  const service = await startStandInTimepiece(options);
  return reading({ baseUrl: service.baseUrl, token: timepieceToken }, service.close);
}

function reading(access: Parameters<typeof tisClient>[0], closeService: () => Promise<void>): OpenReporting {
  const client = tisClient(access, caseNow);
  return {
    reporting: createHostedReporting(client, caseNow),
    async close() {
      await client.close();
      await closeService();
    },
  };
}
