import { millisecondsInHour } from 'date-fns/constants';
import { afterEach, describe, expect, test } from '#jest';
import { createHostedReporting } from '../../../src/api/hosted/reporting/create-hosted-reporting.ts';
import { createHostedSettings } from '../../../src/api/hosted/reporting/create-hosted-settings.ts';
import { createLocalSettings } from '../../../src/api/settings/local-settings.ts';
import { inMemory } from '../../../src/cache/backing.ts';
import { principalOf } from '../../../src/model/principal.ts';
import { ask, type ReportRequest, type Statistic } from '../../../src/model/request.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { linesOf } from '../../contract/reporting/tables.ts';
import { caseDirectory, caseNow } from '../../support/case-reporting.ts';
import { caseWorld } from '../../support/case-world.ts';
import {
  htmlPage,
  startStandInTimepiece,
  type TimepieceOptions,
  timepieceToken,
} from '../../support/stand-in-timepiece.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { hostedClient } from './hosted-client.ts';
import { failureOf } from './start-hosted.ts';

const principal = principalOf(caseWorld.principal);
const sum: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 };
const question = (more: Partial<ReportRequest> = {}) =>
  ask({
    principal,
    reportType: 'statusDuration',
    selection: { by: 'jql', jql: 'project in (WEB, OPS)' },
    ...more,
  });

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** The product, and what our client makes of it. */
async function start(options: TimepieceOptions = {}, token = timepieceToken) {
  const service = await startStandInTimepiece(options);
  const store = openSqliteStore(temporaryFolder());
  const client = hostedClient({ baseUrl: service.baseUrl, token });
  open.push(service, store, client);
  const own = createLocalSettings({
    settings: store.settings,
    stored: inMemory,
    directory: async () => caseDirectory,
    users: async () => new Map(),
    now: caseNow,
    newId: () => '00000000-0000-4000-8000-000000000001',
    checkCalendar: () => [],
  });
  return {
    service,
    reporting: createHostedReporting(client, { now: caseNow, timeZone: 'UTC' }),
    settings: () => createHostedSettings(client, own, async () => new Map()),
  };
}

test('aggregations follow one another, as the product takes one at a time', async () => {
  const { service, reporting } = await start();
  const tables = await Promise.all([
    reporting.report(question({ statistic: sum })),
    reporting.report(question({ statistic: { ...sum, type: 'median' } })),
    reporting.report(question({ statistic: { ...sum, type: 'average' } })),
  ]);
  expect(tables.map(({ rows }) => rows[0]?.cells['1']?.value)).toEqual([
    392 * millisecondsInHour,
    93 * millisecondsInHour,
    78.4 * millisecondsInHour,
  ]);
  expect(service.answered).not.toContain(429);
});

test('the very first dates are on the clocks of the service, which nobody knows yet', async () => {
  const trim = { from: Date.parse('2026-03-02T09:30:00Z'), to: Date.parse('2026-03-02T11:30:00Z') };
  const { reporting } = await start();
  const table = await reporting.report(question({ selection: { by: 'keys', keys: ['WEB-1'] }, trim }));
  expect(linesOf(table)).toMatchObject([
    { 'To Do': millisecondsInHour / 2, Doing: 1.5 * millisecondsInHour },
  ]);
  const other = await start();
  const to = Date.parse('2026-03-06T09:01:00Z');
  const early = await other.reporting.report(question({ dateRange: { field: 'created', from: null, to } }));
  expect(early.issues.map(({ key }) => key)).toEqual(['WEB-3', 'WEB-2', 'WEB-1']);
});

test('a percentile, which the product does not know, is not asked of it once it is known', async () => {
  const { service, reporting } = await start();
  await reporting.report(question());
  await reporting.report(question({ statistic: { ...sum, type: 'percentile' } }));
  expect(service.answered).not.toContain(400);
});

test('a list that takes too long is read in smaller pages', async () => {
  const { service, reporting } = await start({ mostListed: 30 });
  const table = await reporting.report(question());
  expect(table.issues).toHaveLength(5);
  expect(service.answered).toContain(408);
});

test('pages that hold less than asked for, each with columns of its own, make one list', async () => {
  const { service, reporting } = await start({ pagesOf: 1 });
  const table = await reporting.report(question());
  expect(table.issues.map(({ key }) => key)).toEqual(['OPS-2', 'OPS-1', 'WEB-3', 'WEB-2', 'WEB-1']);
  expect(table.columns.map(({ title }) => title)).toEqual([
    'Key',
    'Summary',
    'To Do',
    'Doing',
    'Review',
    'Done',
  ]);
  expect(table.rows.map(({ cells }) => cells['4']?.value)).toEqual([
    undefined,
    undefined,
    24 * millisecondsInHour,
    undefined,
    6 * millisecondsInHour,
  ]);
  expect(table.statuses).toMatchObject({ included: [{ id: '1' }, { id: '3' }, { id: '4' }, { id: '5' }] });
  expect(table.statuses.deleted).toMatchObject([{ id: '9' }]);
  expect(table.provenance.issues).toBe(5);
  expect(service.paths().filter((path) => path.endsWith('/rest/list2')).length).toBeGreaterThanOrEqual(5);
});

describe('where not even a small page comes in time', () => {
  const slow = { mostCondensed: 0, mostListed: 0 };

  test('a statistic is that of a queued export', async () => {
    const { service, reporting } = await start(slow);
    expect(linesOf(await reporting.report(question({ statistic: sum })))).toEqual([
      {
        'To Do': 392 * millisecondsInHour,
        Doing: 355 * millisecondsInHour - 30_000,
        Review: 30 * millisecondsInHour,
        Done: 702 * millisecondsInHour,
      },
    ]);
    expect(service.paths()).toContain('POST /rest/export');
  });

  test('so is one per group', async () => {
    const { reporting } = await start(slow);
    const table = await reporting.report(question({ statistic: sum, groupBy: ['calc:projectKey'] }));
    expect(table.columns[0]).toMatchObject({ id: 'calc:projectKey', part: 'group' });
    expect(linesOf(table)).toMatchObject([
      { 'Project Key': 'OPS', 'To Do': 296 * millisecondsInHour, Doing: 48 * millisecondsInHour },
      { 'Project Key': 'WEB', 'To Do': 96 * millisecondsInHour, Done: 702 * millisecondsInHour },
    ]);
  });

  test('its dates are on the clocks of the service, or it is none', async () => {
    const { reporting } = await start(slow);
    const trim = { from: Date.parse('2026-03-02T09:30:00Z'), to: Date.parse('2026-03-02T11:30:00Z') };
    const lines = await reporting.report(question({ statistic: sum, trim })).then(linesOf, () => null);
    expect([null, [{ 'To Do': millisecondsInHour / 2, Doing: 1.5 * millisecondsInHour }]]).toContainEqual(
      lines,
    );
  });

  test.each<[string, Partial<Statistic>]>([
    ['an average over all issues', { type: 'average', denominator: 'all' }],
    ['a standard deviation', { type: 'standardDeviation' }],
    ['a percentile', { type: 'percentile' }],
  ])('%s, of which the files may tell another, is none', async (_which, more) => {
    const { reporting } = await start({ ...slow, deviation: 'sample' });
    const failure = await failureOf(reporting.report(question({ statistic: { ...sum, ...more } })));
    expect(failure.code).toBe('unavailable');
  });

  test('its number of issues is never a false one', async () => {
    const { reporting } = await start(slow);
    const { rows, provenance } = await reporting.report(question({ statistic: sum }));
    expect([undefined, 5]).toContain(rows[0]?.issueCount);
    expect(provenance.issues).toBe(5);
  });
});

test('a question too long for an address is sent as a form', async () => {
  const { service, reporting } = await start();
  const jql = `project = WEB${' OR project = WEB'.repeat(2000)}`;
  const table = await reporting.report(question({ selection: { by: 'jql', jql } }));
  expect(table.issues.map(({ key }) => key)).toEqual(['WEB-3', 'WEB-2', 'WEB-1']);
  expect(service.calls.some(({ method, asked }) => method === 'POST' && asked.customjql === jql)).toBe(true);
});

test('the token is in no address and in no sentence', async () => {
  const { service, reporting } = await start({}, 'not.the.token');
  const failure = await failureOf(reporting.report(question()));
  expect([failure.message, ...failure.details].join(' ')).toMatch(/tisjwt is invalid/);
  expect(JSON.stringify([failure.message, failure.details])).not.toContain('not.the.token');
  expect(service.calls.every(({ asked }) => asked.tisjwt === undefined)).toBe(true);
});

test('a page of somebody between us and the product is no answer', async () => {
  const { service, reporting } = await start();
  await reporting.report(question());
  service.fail(htmlPage(200, 'Please log in'));
  const failure = await failureOf(reporting.report(question()));
  expect(failure.code).toBe('unavailable');
  expect([failure.message, ...failure.details].join(' ')).not.toContain('<');
});

test('what is out of order for a moment is asked again', async () => {
  const { service, reporting } = await start();
  await reporting.report(question());
  service.fail(htmlPage(503, 'Service Unavailable'), htmlPage(502, 'Bad Gateway'));
  expect((await reporting.report(question())).issues).toHaveLength(5);
});

describe.each(['iso', 'instance format'] as const)('calendars with holidays in %s', (holidays) => {
  test('are told with shifts and days', async () => {
    const { settings } = await start({ holidays });
    expect(await settings().calendars(principal)).toMatchObject([
      { id: null, name: 'normalHours' },
      caseWorld.calendar,
    ]);
    expect(await settings().calendar(principal, 7)).toMatchObject({ name: 'Office' });
  });
});

test.each(['reportSettings', 'parameterSets'] as const)(
  'saved reports are found at %s',
  async (parameterSets) => {
    const { settings } = await start({ parameterSets });
    expect(await settings().parameterSets(principal)).toMatchObject([
      { name: 'Weekly look', ownerId: 'ada', public: true },
    ]);
  },
);

test('the formats are those of the product', async () => {
  const { settings } = await start();
  expect(await settings().formats()).toEqual({ dateFormat: 'dd/MMM/yy', dateTimeFormat: 'dd/MMM/yy h:mm a' });
});
