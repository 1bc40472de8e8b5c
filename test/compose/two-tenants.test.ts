import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { ended } from '../http/exports/ended.ts';
import { exportFile, jiraIssue, movesTo } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const dataDir = temporaryFolder();
const question = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };
const office = {
  ...{ name: 'Office', timeZone: 'UTC', holidays: [] },
  workingTimes: [{ weekday: 'MONDAY', start: 0, end: 3_600_000 }],
};

/** A Dwell of one tenant, with issues, a calendar, a parameter set and an export that are called alike everywhere. */
async function dwellOf(tenant: string, day: string) {
  const environment = { TRACKER: 'file', PLAYGROUND: 'off', BLOBS: 'folder' };
  const dwell = await startDwell({ dataDir, tenant, environment });
  const issue = jiraIssue('WEB-1', { created: '2026-03-02T09:00:00.000Z' });
  await dwell.types(
    'import',
    exportFile([issue.at(`2026-03-${day}T09:00:00.000Z`, movesTo('Done')).onCloud()]),
  );
  const { json: calendar } = await dwell.as('ada', { admin: true }).postJson('/rest/calendar', office);
  await dwell.postJson('/rest/reportSettings', { name: tenant, parameters: question });
  const { json: queued } = await dwell.post('/rest/export', { ...question, outputType: 'CSV' });
  await ended(dwell, queued.exportId);
  return { dwell, calendar, exportId: String(queued.exportId) };
}

let acme: Awaited<ReturnType<typeof dwellOf>>;
let apex: Awaited<ReturnType<typeof dwellOf>>;
beforeAll(async () => {
  acme = await dwellOf('acme', '03');
  apex = await dwellOf('apex', '05');
});
afterAll(async () => {
  await acme.dwell.stop();
  await apex.dwell.stop();
});

const figures = async (dwell: TestDwell) =>
  (await dwell.get('/rest/smallexport', { ...question, outputType: 'CSV' })).text;
const setsOf = async (dwell: TestDwell) => (await dwell.get('/rest/reportSettings')).json.parameterSets;

test('two Dwells over one DATA_DIR answer of their own issues and settings', async () => {
  expect(await figures(acme.dwell)).toContain('WEB-1,What WEB-1 is about,1440,21780,complete');
  expect(await figures(apex.dwell)).toContain('WEB-1,What WEB-1 is about,4320,18900,complete');
  expect([acme.calendar.id, apex.calendar.id]).toEqual([101, 101]);
  expect(acme.calendar.clientKey).not.toBe(apex.calendar.clientKey);
  expect(await setsOf(acme.dwell)).toEqual([expect.objectContaining({ name: 'acme' })]);
  expect(await setsOf(apex.dwell)).toEqual([expect.objectContaining({ name: 'apex' })]);
});

test('a token of one is none of the other, and neither is an export', async () => {
  const header = await acme.dwell.headerOf('ada');
  expect((await acme.dwell.get('/rest/statuses', {}, header)).status).toBe(200);
  expect((await apex.dwell.get('/rest/statuses', {}, header)).json.messages).toEqual(['tisjwt is invalid.']);
  expect((await apex.dwell.get(`/rest/export/${acme.exportId}`)).status).toBe(404);
  expect((await apex.dwell.get('/rest/export')).json.total).toBe(1);
  const file = `${acme.exportId}-1.csv`;
  expect(existsSync(join(dataDir, 'tenants', 'acme', 'exports', file))).toBe(true);
  expect(existsSync(join(dataDir, 'tenants', 'apex', 'exports', file))).toBe(false);
});
