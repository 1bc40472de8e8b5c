import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { dataCenterExport, dataCenterPeople } from '../../support/data-center.ts';
import { type KeychainOptions, keychainUser, startStandInKeychain } from '../../support/stand-in-keychain.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { bases, basic, tokenOf } from './credentials.ts';

const [base] = bases;
const ofBob = {
  active: true,
  delegator: 'bob',
  delegates: ['carl'],
  categoryIds: [],
  startDate: '2026-03-02T08:00Z',
  endDate: '2026-03-20T17:00Z',
  notes: '',
};
const ofDora = { ...ofBob, delegator: 'dora', delegates: ['ada'] };
const about = { category: 'general', datetime: '2026-03-18 12:00:00' };
const asOf = '2026-03-18 12:00:00 +0000';

/** A register of our own in which an admin has told both, by login. */
async function startLocal() {
  const dwell = await startDwell();
  await dwell.types('import', ...dataCenterExport());
  for (const wish of [ofBob, ofDora]) {
    await dwell.as('ada', { admin: true }).postJson(`${base}/delegation`, wish);
  }
  return { dwell, stop: () => dwell.stop() };
}

/** One of the tracker, which knows nobody by key. */
async function startHosted(options: KeychainOptions = {}, wishes: readonly object[] = []) {
  const records = [ofBob, ofDora, ...wishes].map((wish, i) => ({
    ...ofBob,
    ...wish,
    delegationId: i + 1,
    version: 1,
  }));
  const service = await startStandInKeychain(
    {
      users: Object.values(dataCenterPeople),
      categories: [],
      records,
      now: Date.parse('2026-03-18T12:00:00Z'),
      timeZone: 'UTC',
    },
    options,
  );
  const dwell = await startDwell({
    environment: {
      DELEGATION_BASE_URL: service.baseUrl,
      DELEGATION_USER: keychainUser.user,
      DELEGATION_PASSWORD: keychainUser.password,
    },
  });
  await dwell.types('import', ...dataCenterExport());
  return {
    dwell,
    async stop() {
      await dwell.stop();
      await service.close();
    },
  };
}

describe.each([
  ['our own', startLocal],
  ['the tracker’s', () => startHosted()],
])('people whose key is not their login, in a register that is %s', (_, start) => {
  let dwell: TestDwell;
  let stop: () => Promise<void>;
  let boss: ReturnType<TestDwell['as']>;
  beforeAll(async () => {
    ({ dwell, stop } = await start());
    boss = dwell.as('ada', { admin: true });
  });
  afterAll(() => stop());

  test.each(['bob', 'BOB', 'JIRAUSER10002', 'jirauser10002'])(
    'are found as %s and told by login',
    async (delegator) => {
      const { status, json } = await boss.get(`${base}/delegation/getDelegates`, { ...about, delegator });
      expect([status, json]).toEqual([
        200,
        { delegator: 'bob', asOf, category: 'general', delegates: ['carl'] },
      ]);
    },
  );

  test('are told by login wherever people are told', async () => {
    const { json: delegators } = await boss.get(`${base}/delegation/getDelegators`, {
      ...about,
      delegate: 'JIRAUSER10003',
    });
    expect(delegators).toMatchObject({ delegate: 'carl', delegators: ['bob'] });
    const { json: chain } = await boss.get(`${base}/delegation/getChain`, { ...about, delegator: 'bob' });
    expect(chain).toMatchObject({ delegator: 'bob', paths: [{ people: ['bob', 'carl'], backTo: null }] });
    const { json: coverage } = await boss.get(`${base}/delegation/getCoverage`, { from: '2026-03-16' });
    expect(coverage).toMatchObject({ delegations: [ofBob, ofDora], ending: [ofBob, ofDora] });
    const { json: list } = await boss.get(`${base}/delegation`);
    expect(list.values).toMatchObject([ofBob, ofDora]);
  });

  test('are filtered by, whichever way they are named', async () => {
    for (const filter of [
      { delegator: 'bob' },
      { delegator: 'JIRAUSER10002' },
      { delegate: 'Carl' },
      { delegate: 'jirauser10003' },
    ]) {
      const { json } = await boss.get(`${base}/delegation`, filter);
      expect([filter, json.total, json.values]).toMatchObject([filter, 1, [ofBob]]);
    }
  });

  test('are not found as somebody else', async () => {
    const { status, json } = await boss.get(`${base}/delegation/getDelegates`, {
      ...about,
      delegator: 'zed',
    });
    expect([status, json.message]).toEqual([404, 'User with name "zed" could not be found.']);
  });

  test.each(['bob', 'JIRAUSER10002'])('have their own rights with a token for %s', async (user) => {
    const person = dwell.as(user);
    const own = await person.get(`${base}/delegation/getDelegates`, { ...about, delegator: 'bob' });
    expect([own.status, own.json.delegates]).toEqual([200, ['carl']]);
    const others = await person.get(`${base}/delegation/getDelegates`, { ...about, delegator: 'carl' });
    expect([others.status, others.json.message]).toEqual([
      403,
      'You do not have permission to query delegations of other users.',
    ]);
    const { json: seen } = await person.get(`${base}/delegation`);
    expect(seen.values).toMatchObject([ofBob]);
    const [id] = seen.values.map((one: { readonly delegationId: number }) => one.delegationId);
    const changed = await person.putJson(`${base}/delegation/${id}`, { ...ofBob, notes: user });
    expect([changed.status, changed.json]).toMatchObject([200, { ...ofBob, notes: user }]);
    const foreign = await person.postJson(`${base}/delegation`, { ...ofDora, delegator: 'carl' });
    expect(foreign.status).toBe(403);
    await boss.putJson(`${base}/delegation/${id}`, ofBob);
  });

  test.each(['bob', 'JIRAUSER10002', 'user:bob'])(
    'may see all where %s is permitted that',
    async (viewer) => {
      await dwell.types('delegates', '--view-all', viewer);
      for (const user of ['bob', 'JIRAUSER10002']) {
        const { json } = await dwell.as(user).get(`${base}/delegation`);
        expect(json.values).toMatchObject([ofBob, ofDora]);
      }
      expect((await dwell.as('carl').get(`${base}/delegation`)).json.values).toMatchObject([ofBob]);
      await dwell.types('delegates', '--view-all', 'none');
    },
  );

  test('ask with Basic by the login their token is for', async () => {
    const headers = basic('bob', await tokenOf(dwell, 'bob'));
    const { status } = await dwell.get(
      `${base}/delegation/getDelegates`,
      { ...about, delegator: 'bob' },
      headers,
    );
    expect(status).toBe(200);
  });

  test('are credited with the time in which they stood in', async () => {
    const { status, json } = await boss.get('/rest/issues', {
      filterType: 'project',
      projectKey: 'DC',
      columnsBy: 'assigneeDuration',
      creditDelegates: 'true',
      calendar: 'normalHours',
    });
    expect(status).toBe(200);
    const standIns = json.table.header.valueColumns.flatMap(
      ({ standIn }: { readonly standIn?: unknown }) => standIn ?? [],
    );
    expect(standIns).toMatchObject([{ owner: { id: 'JIRAUSER10002' }, delegate: { id: 'JIRAUSER10003' } }]);
  });
});

test('a token issued by login before people were known is theirs once they are', async () => {
  const dwell = await startDwell();
  try {
    const headers = basic('carl', await tokenOf(dwell, 'carl'));
    await dwell.types('import', ...dataCenterExport());
    const own = (delegator: string) =>
      dwell.get(`${base}/delegation/getDelegates`, { ...about, delegator }, headers);
    expect([(await own('JIRAUSER10003')).status, (await own('bob')).status]).toEqual([200, 403]);
  } finally {
    await dwell.stop();
  }
});

test('a category is told as the register of the tracker stores it', async () => {
  const { dwell, stop } = await startHosted({ general: 'General' });
  const boss = dwell.as('ada', { admin: true });
  const of = async (operation: string, person: object) =>
    (await boss.get(`${base}/delegation/${operation}`, { ...about, ...person })).json;
  expect(await of('getDelegates', { delegator: 'bob' })).toMatchObject({
    category: 'General',
    delegates: ['carl'],
  });
  expect(await of('getDelegators', { delegate: 'carl' })).toMatchObject({ category: 'General' });
  expect(await of('getChain', { delegator: 'bob' })).toMatchObject({ paths: [{ people: ['bob', 'carl'] }] });
  await stop();
});

test('a register without lists has chains all the same, also those that go in a circle', async () => {
  const more = [
    { ...ofBob, delegator: 'carl', delegates: ['dora', 'bob'] },
    { ...ofBob, delegator: 'ada', delegates: ['bob'], startDate: '2026-03-19T08:00Z' },
  ];
  const chains = [];
  for (const lists of [true, false]) {
    const { dwell, stop } = await startHosted({ lists }, more);
    const boss = dwell.as('ada', { admin: true });
    const of = async (delegator: string) =>
      (await boss.get(`${base}/delegation/getChain`, { ...about, delegator })).json;
    chains.push([await of('bob'), await of('ada'), await of('nobody')]);
    await stop();
  }
  expect(chains[1]).toMatchObject([
    {
      delegator: 'bob',
      asOf,
      category: 'general',
      more: false,
      paths: [
        { people: ['bob', 'carl', 'dora', 'ada'], backTo: null },
        { people: ['bob', 'carl'], backTo: 'bob' },
      ],
    },
    { delegator: 'ada', paths: [], more: false },
    { status: 404 },
  ]);
  const [withLists, without] = chains.map((all) => all.map(({ timestamp: _, ...one }) => one));
  expect(without).toEqual(withLists);
});
