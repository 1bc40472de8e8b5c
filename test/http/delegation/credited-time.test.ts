import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';

let dwell: TestDwell;
let boss: ReturnType<TestDwell['as']>;
beforeAll(async () => {
  dwell = await startDwell();
  boss = dwell.as('ada', { admin: true });
});
afterAll(() => dwell.stop());

interface Titled {
  readonly id: string | number | null;
  readonly value: string;
}
interface Header {
  readonly value: string;
  readonly standIn?: { readonly owner: Titled; readonly delegate: Titled; readonly category: Titled };
}

const question = {
  filterType: 'project',
  projectKey: 'OPS',
  columnsBy: 'assigneeDuration',
  pageSize: '1000',
};
const ask = async (parameters: Record<string, string>) => {
  const { status, json } = await boss.get('/rest/issues', { ...question, ...parameters });
  const columns: Header[] = json.table.header.valueColumns;
  const standIns = columns.flatMap(({ standIn }) => standIn ?? []);
  return { status, credited: json.creditedCategories, standIns };
};

test('without creditDelegates, and with false, time is the assignee’s', async () => {
  for (const parameters of [{}, { creditDelegates: 'FALSE' }] as Record<string, string>[]) {
    expect(await ask(parameters)).toEqual({ status: 200, credited: undefined, standIns: [] });
  }
});

test('creditDelegates=true tells in columns of their own who stood in, in any category', async () => {
  const { status, credited, standIns } = await ask({ creditDelegates: 'TRUE' });
  expect([status, credited]).toEqual([200, []]);
  expect(standIns.length).toBeGreaterThan(3);
  const categories = new Set(standIns.map(({ category }) => `${category.id} ${category.value}`));
  expect(categories).toContain('null general');
  for (const { owner, delegate } of standIns) {
    expect(owner.id).toBe(owner.value.toLowerCase());
    expect(delegate.id).toBe(delegate.value.toLowerCase());
    expect(delegate.id).not.toBe(owner.id);
  }
});

test('a category in any case is credited alone, under its stored name', async () => {
  const { status, standIns } = await ask({ creditDelegates: ' support ,' });
  expect(status).toBe(200);
  expect(standIns.length).toBeGreaterThan(0);
  expect(new Set(standIns.map(({ category }) => category.value))).toEqual(new Set(['Support']));
});

test('a parameter set may hold it', async () => {
  const { json } = await boss.postJson('/rest/parameterSets', {
    name: 'Credited',
    parameters: { reportType: 'assigneeDuration', creditDelegates: ['Support', 'general'] },
  });
  const { status, standIns } = await ask({ paramSetId: json.id });
  expect(status).toBe(200);
  expect(standIns.length).toBeGreaterThan(0);
});

test('failures of it are worded as those of reports', async () => {
  const other = await boss.get('/rest/issues', {
    ...question,
    columnsBy: 'statusDuration',
    creditDelegates: 'true',
  });
  expect([other.status, other.json.messages]).toEqual([400, [expect.stringContaining('creditDelegates')]]);
  const forbidden = await dwell.as('bob').get('/rest/issues', { ...question, creditDelegates: 'true' });
  expect([forbidden.status, forbidden.json]).toEqual([
    403,
    {
      status: 403,
      message: 'You do not have permission to query delegations of other users.',
      messages: null,
      pluginVersion: expect.any(String),
      time: '2026-03-18 12:00:00',
    },
  ]);
});
