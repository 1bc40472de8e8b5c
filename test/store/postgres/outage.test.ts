import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '#jest';
import { openLog } from '../../../src/compose/log-problem.ts';
import { exportFile, jiraIssue, searchResult } from '../../support/jira-export.ts';
import { addressIn, endConnections } from '../../support/postgres-database.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { databaseOf } from '../../support/store-engine.ts';

let dwell: TestDwell;
const logged: string[] = [];
/** A connection to another database of the server, and one that ends those of Dwell. */
let admin: Client;
let name: string;

beforeAll(async () => {
  const log = await openLog('info', { destination: { write: (line) => void logged.push(line) } });
  dwell = await startDwell({ log, environment: { TRACKER: 'file', PLAYGROUND: 'off' } });
  expect((await dwell.types('import', exportFile(searchResult(jiraIssue('WEB-1').onCloud())))).code).toBe(0);
  name = new URL(await databaseOf(dwell.dataDir)).pathname.slice(1);
  admin = new Client({ connectionString: addressIn('postgres') });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await dwell.stop();
});

const ask = () => dwell.get('/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration' });
const create = (calendar: string) =>
  dwell.as('ada', { admin: true }).postJson('/rest/calendars', {
    ...{ name: calendar, timeZone: 'UTC', holidays: [] },
    workingTimes: [{ weekday: 'MONDAY', start: 0, end: 3_600_000 }],
  });
const names = async () => (await dwell.get('/rest/calendars')).text;

async function withEndedConnections(before: string): Promise<void> {
  const client = new Client({ connectionString: addressIn(name) });
  await client.connect();
  await admin.query(before);
  await endConnections(client);
  await client.end();
}

test('connections that end are opened again before the next answer', async () => {
  expect(await ask()).toMatchObject({ status: 200 });
  await withEndedConnections('SELECT 1');
  expect(await ask()).toMatchObject({ status: 200 });
  await withEndedConnections('SELECT 1');
  expect(await create('Office')).toMatchObject({ status: 200 });
  expect(await names()).toContain('Office');
});

test('while the database takes no connections answers say so, and the next one after it is whole', async () => {
  await withEndedConnections(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  const before = logged.length;
  for (const { status, text } of [await ask(), await create('Lab')]) {
    expect(status).toBe(503);
    expect(text).toContain('The database does not answer as it should now');
    expect(text).not.toContain('postgres:');
  }
  // A line for each refused request, with the sentence and without a stack.
  const refusals = logged
    .slice(before)
    .map((line) => JSON.parse(line))
    .filter(({ err }) => err !== undefined);
  expect(refusals.map(({ msg, path, err }) => [msg, path, Object.keys(err)])).toEqual([
    ['request failed', '/rest/issue', ['type', 'reason', 'message']],
    ['request failed', '/rest/calendars', ['type', 'reason', 'message']],
  ]);
  expect(refusals[0].err.message).toContain('The database does not answer as it should now');
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  expect(await ask()).toMatchObject({ status: 200 });
  expect(await names()).not.toContain('Lab');
  await create('Lab');
  expect(await names()).toContain('Lab');
});
