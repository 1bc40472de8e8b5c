import { describe } from '#jest';
import { createHostedReporting } from '../../src/hosted/create-hosted-reporting.ts';
import { type OpenReporting, type ReportingDialect, reportingCases } from '../contract/reporting-cases.ts';
import { caseNow } from '../support/case-reporting.ts';
import {
  startStandInTimepiece,
  type TimepieceOptions,
  timepieceToken,
} from '../support/stand-in-timepiece.ts';
import { hostedClient } from './hosted-client.ts';

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

async function openProduct(options: TimepieceOptions): Promise<OpenReporting> {
  const service = await startStandInTimepiece(options);
  const client = hostedClient({ baseUrl: service.baseUrl, token: timepieceToken });
  return {
    reporting: createHostedReporting(client, caseNow),
    async close() {
      await client.close();
      await service.close();
    },
  };
}
