import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell();
});
afterAll(() => dwell.stop());

test('healthz and readyz answer without a token', async () => {
  expect(await dwell.get('/healthz', {}, {})).toMatchObject({ status: 200, json: { status: 'ok' } });
  expect(await dwell.get('/readyz', {}, {})).toMatchObject({ status: 200, json: { status: 'ready' } });
});

test('readyz is false while the disk is full', async () => {
  // Whatever is written to this device meets a full disk.
  symlinkSync('/dev/full', join(dwell.dataDir, '.writable'));
  expect(await dwell.get('/readyz', {}, {})).toMatchObject({
    status: 503,
    json: { status: 'not ready', waitingFor: 'free disk space in DATA_DIR: the disk is full' },
  });
  expect((await dwell.get('/readyz', {}, {})).status).toBe(200);
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
