import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { TestDwell } from '../../support/start-dwell.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';

const dwell = suiteDwell();
let boss: ReturnType<TestDwell['as']>;
beforeAll(async () => {
  boss = dwell.as('ada', { admin: true });
});

interface Titled {
  readonly id: string | number | null;
  readonly value: string;
}
interface Header {
  readonly value: string;
  readonly standIn?: { readonly owner: Titled; readonly delegate: Titled; readonly category: Titled };
}

const base = '/rest/delegation/api/1.0';
const everything = ['general', 'Expense', 'Releases', 'Support'];
const question = {
  filterType: 'project',
  projectKey: 'OPS',
  startDate: '2025-10-01',
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
  for (const creditDelegates of ['', 'FALSE', ',', '""', ' , false']) {
    const parameters: Record<string, string> = creditDelegates === '' ? {} : { creditDelegates };
    expect(await ask(parameters)).toEqual({ status: 200, credited: undefined, standIns: [] });
  }
});

test('creditDelegates=true tells in columns of their own who stood in, in any category', async () => {
  const { status, credited, standIns } = await ask({ creditDelegates: 'TRUE' });
  expect([status, credited]).toEqual([200, everything]);
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

describe('categories that are called like something else', () => {
  const added: Record<string, string> = {};
  beforeAll(async () => {
    for (const name of ['Travel, hotels', 'Café', 'true']) {
      const { json } = await boss.postJson(`${base}/category`, { name });
      added[name] = String(json.id);
    }
  });
  afterAll(async () => {
    for (const id of Object.values(added)) await boss.send('DELETE', `${base}/category/${id}`, undefined);
  });

  test.each([
    ['travel, HOTELS,general', ['Travel, hotels', 'general']],
    ['"Travel, hotels",general', ['Travel, hotels', 'general']],
    ['general , "Travel, hotels" , Support', ['general', 'Travel, hotels', 'Support']],
    ['cafe\u0301', ['Café']],
    ['"true"', ['true']],
    ['general,True', ['general', 'true']],
    ['true,', [...everything, 'Travel, hotels', 'Café', 'true']],
  ])('%s', async (creditDelegates, credited) => {
    expect(await ask({ creditDelegates })).toMatchObject({ status: 200, credited });
  });

  test('are named by their ids, too, in parameter sets as well', async () => {
    const { true: id = '', 'Travel, hotels': other } = added;
    expect((await ask({ creditDelegates: `${id},general` })).credited).toEqual(['true', 'general']);
    const ofSet = async (creditDelegates: unknown) => {
      const parameters = { reportType: 'assigneeDuration', creditDelegates };
      const { json } = await boss.postJson('/rest/parameterSets', {
        name: JSON.stringify(creditDelegates),
        parameters,
      });
      return (await ask({ paramSetId: json.id })).credited;
    };
    expect(await ofSet(['Travel, hotels', 'general'])).toEqual(['Travel, hotels', 'general']);
    expect(await ofSet([{ id: Number(id), name: 'true' }, 'Support'])).toEqual(['true', 'Support']);
    expect(await ofSet([Number(other)])).toEqual(['Travel, hotels']);
    expect(await ofSet(true)).toEqual([...everything, 'Travel, hotels', 'Café', 'true']);
  });
});

test('what a parameter set holds of it is left out of reports that have no use for it', async () => {
  const saved = async (reportType: string) => {
    const parameters = { ...question, columnsBy: undefined, reportType, creditDelegates: ['Support'] };
    const { json } = await boss.postJson('/rest/parameterSets', { name: `By ${reportType}`, parameters });
    return json.id;
  };
  const paramSetId = await saved('assigneeDuration');
  const run = (more: Record<string, string>) => boss.get('/rest/issues', { paramSetId, ...more });
  expect((await run({})).json.creditedCategories).toEqual(['Support']);
  expect((await run({ columnsBy: 'ASSIGNEEDURATION' })).json.creditedCategories).toEqual(['Support']);
  const other = await run({ columnsBy: 'statusDuration' });
  expect([other.status, other.json.creditedCategories]).toEqual([200, undefined]);
  expect((await run({ columnsBy: 'statusDuration', creditDelegates: 'true' })).status).toBe(400);
  expect((await run({ creditDelegates: ',' })).json).not.toHaveProperty('creditedCategories');

  const useless = await saved('statusDuration');
  expect((await boss.get('/rest/issues', { paramSetId: useless })).status).toBe(200);
  expect((await boss.get(`/rest/parameterSets/${useless}/validate`)).json).toMatchObject({ valid: true });
  const used = await boss.get('/rest/issues', { paramSetId: useless, columnsBy: 'assigneeDuration' });
  expect(used.json.creditedCategories).toEqual(['Support']);
});

test('a delegation that is changed between two pages ends the paging', async () => {
  const pages = { ...question, creditDelegates: 'Expense', pageSize: '1' };
  const { nextPageToken } = (await boss.get('/rest/issues/v2', pages)).json;
  const next = () => boss.get('/rest/issues/v2', { ...pages, nextPageToken });
  const later = { startDate: '2026-04-01T09:00Z', endDate: '2026-04-02T09:00Z' };
  const set = (body: object) =>
    boss.postJson(`${base}/delegation`, { delegator: 'dora', delegates: ['carl'], ...body });
  expect((await set(later)).status).toBe(200);
  expect((await next()).status).toBe(200);
  expect((await set({ startDate: '2026-03-17T09:00Z', endDate: '2026-04-01T09:00Z' })).status).toBe(200);
  const refused = await next();
  expect([refused.status, refused.json.messages]).toEqual([
    400,
    [
      `nextPageToken '${nextPageToken}' belongs to another question. Try: the parameters, the calendar and the delegations of the page before, unchanged.`,
    ],
  ]);
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
      reason: expect.any(String),
      pluginVersion: expect.any(String),
      time: '2026-03-18 12:00:00',
    },
  ]);
});
