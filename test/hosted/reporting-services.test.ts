import { describe } from '#jest';
import { createHostedReporting } from '../../src/hosted/create-hosted-reporting.ts';
import { type OpenReporting, type ReportingDialect, reportingCases } from '../contract/reporting-cases.ts';
import { caseDirectory, caseNow, caseReporting } from '../support/case-reporting.ts';
import { caseWorld } from '../support/case-world.ts';
import { startRestService } from '../support/rest-service.ts';
import {
  startStandInTimepiece,
  type TimepieceOptions,
  timepieceToken,
} from '../support/stand-in-timepiece.ts';
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
  const { url, token, close } = await startRestService(
    () => ({ reporting: caseReporting(), timeZone: caseWorld.timeZone }),
    { now: caseNow, user: caseWorld.principal, directory: caseDirectory },
  );
  return reading({ baseUrl: url, token }, close);
}

async function openProduct(options: TimepieceOptions): Promise<OpenReporting> {
  const service = await startStandInTimepiece(options);
  return reading({ baseUrl: service.baseUrl, token: timepieceToken }, service.close);
}

function reading(access: Parameters<typeof tisClient>[0], closeService: () => Promise<void>): OpenReporting {
  const client = tisClient(access, caseNow);
  return {
    reporting: createHostedReporting(client, { now: caseNow, flows: async () => [] }),
    async close() {
      await client.close();
      await closeService();
    },
  };
}
