import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
