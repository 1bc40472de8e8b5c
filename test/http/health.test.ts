import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '#jest';
import { testOnSqlite } from '../support/on-sqlite.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell({ clockOffset: async () => offset });
let offset = 0;

test('healthz and readyz answer without a token', async () => {
  expect(await dwell.get('/healthz', {}, {})).toMatchObject({ status: 200, json: { status: 'ok' } });
  expect(await dwell.get('/readyz', {}, {})).toMatchObject({ status: 200, json: { status: 'ready' } });
});

testOnSqlite('readyz is false while the disk is full, which it finds out within five seconds', async () => {
  // Whatever is written to this device meets a full disk.
  symlinkSync('/dev/full', join(dwell.dataDir, '.writable'));
  dwell.clock.now += 4_999;
  expect((await dwell.get('/readyz', {}, {})).status).toBe(200);
  dwell.clock.now += 1;
  expect(await dwell.get('/readyz', {}, {})).toMatchObject({
    status: 503,
    json: { status: 'not ready', waitingFor: 'free disk space in DATA_DIR: the disk is full' },
  });
  expect((await dwell.get('/readyz', {}, {})).status).toBe(200);
});

test.each([
  [2_000, null],
  [2_001, 'is 2.0 s behind the database'],
  [-3_250, 'is 3.3 s ahead of the database'],
  [0, null],
])('readyz with a clock of the store that is ahead by %d ms', async (ms, problem) => {
  offset = ms;
  await dwell.measuresClock();
  const { status, json } = await dwell.get('/readyz', {}, {});
  expect(status).toBe(problem === null ? 200 : 503);
  if (problem !== null) expect(json.waitingFor).toContain(problem);
});

test('statuses tell ids, names, categories, scopes, and which are gone', async () => {
  const { json } = await dwell.get('/rest/statuses');
  expect(json).toContainEqual({
    id: '10021',
    name: 'In Review',
    deleted: false,
    statusCategory: { name: 'In Progress' },
    scopeProjectKey: 'APP',
  });
  expect(json.filter((status: { deleted: boolean }) => status.deleted)).toEqual([
    expect.objectContaining({ id: '10010', name: 'Analysis' }),
  ]);
});
