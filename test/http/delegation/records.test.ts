import { beforeAll, describe, expect, test } from '#jest';
import type { TestDwell } from '../../support/start-dwell.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';
import { bases } from './credentials.ts';

const [base] = bases;

const dwell = suiteDwell({ at: '2031-03-05T06:07:08.900Z', environment: { TIME_ZONE: 'Europe/Berlin' } });
let boss: ReturnType<TestDwell['as']>;
beforeAll(async () => {
  boss = dwell.as('ada', { admin: true });
});

const wish = {
  delegator: 'carl',
  delegates: ['dora', 'emil'],
  startDate: '2031-03-18T18:00Z',
  endDate: '2031-04-18T18:00Z',
};

describe.each(bases)('at %s', (at) => {
  test('a delegation is made, read, changed, and all its versions are kept', async () => {
    const made = await boss.postJson(`${at}/delegation`, {
      ...wish,
      delegator: 'CARL',
      notes: 'Away',
    });
    expect(made.status).toBe(200);
    const { delegationId } = made.json;
    const first = {
      delegationId,
      version: 1,
      active: true,
      delegator: 'carl',
      delegates: ['dora', 'emil'],
      categoryIds: [],
      startDate: '2031-03-18T18:00Z',
      endDate: '2031-04-18T18:00Z',
      notes: 'Away',
    };
    expect(made.json).toEqual(first);
    expect((await boss.get(`${at}/delegation/${delegationId}`)).json).toEqual(first);

    dwell.clock.now += 60_000;
    const changed = await dwell.as('carl').putJson(`${at}/delegation/${delegationId}`, {
      ...made.json,
      active: false,
      categoryIds: [1],
      notes: '',
    });
    dwell.clock.now -= 60_000;
    const second = { ...first, version: 2, active: false, categoryIds: [1], notes: '' };
    expect([changed.status, changed.json]).toEqual([200, second]);
    // What an answer holds may be sent back as it came.
    expect(changed.headers.get('x-ignored-parameters')).toBeNull();

    const versions = await boss.get(`${at}/delegation/${delegationId}/versions`);
    expect([versions.status, versions.json]).toEqual([
      200,
      [
        { ...first, savedBy: 'ada', savedAt: '2031-03-05T06:07:08.900Z' },
        { ...second, savedBy: 'carl', savedAt: '2031-03-05T06:08:08.900Z' },
      ],
    ]);
  });

  test('a category is made, read, changed and removed', async () => {
    const name = `Audit at ${at}`;
    const made = await boss.postJson(`${at}/category`, { name });
    const { id } = made.json;
    expect([made.status, made.json]).toEqual([200, { id, name, description: '' }]);
    const changed = await boss.putJson(`${at}/category/${id}`, { name, description: 'Of the year' });
    expect([changed.status, changed.json]).toEqual([200, { id, name, description: 'Of the year' }]);
    const all = await dwell.as('bob').get(`${at}/category`);
    expect(all.json).toContainEqual({ id, name, description: 'Of the year' });
    const gone = await boss.send('DELETE', `${at}/category/${id}`, undefined);
    expect([gone.status, gone.text, gone.type]).toEqual([204, '', null]);
    expect((await boss.send('DELETE', `${at}/category/${id}`, undefined)).status).toBe(404);
  });
});

describe('a member nobody knows is refused, for it may be one misspelt', () => {
  const allowed = 'active, delegator, delegates, categoryIds, startDate, endDate, notes';

  test('when a delegation is made or changed, and nothing is kept', async () => {
    const { json: made } = await boss.postJson(`${base}/delegation`, wish);
    const { delegationId } = made;
    const { total: before } = (await boss.get(`${base}/delegation`)).json;
    const errors = {
      acitve: `acitve is not known. Try: ${allowed}.`,
      DELEGATES: `DELEGATES is not known. Try: ${allowed}.`,
    };
    const body = { ...made, acitve: false, DELEGATES: ['x'] };
    for (const { status, json } of [
      await boss.postJson(`${base}/delegation`, body),
      await boss.putJson(`${base}/delegation/${delegationId}`, body),
    ]) {
      expect([status, json]).toEqual([
        400,
        {
          status: 400,
          message: Object.values(errors).join(' '),
          reason: expect.any(String),
          timestamp: expect.any(String),
          errors,
        },
      ]);
    }
    expect((await boss.get(`${base}/delegation`)).json.total).toBe(before);
    expect((await boss.get(`${base}/delegation/${delegationId}`)).json.version).toBe(1);
  });

  test('beside what else is wrong', async () => {
    const { delegator: delegater, ...rest } = wish;
    const { json } = await boss.postJson(`${base}/delegation`, { ...rest, delegater, notes: 5, '': 1 });
    expect(json.errors).toEqual({
      delegater: `delegater is not known. Try: ${allowed}.`,
      "''": `'' is not known. Try: ${allowed}.`,
      delegator: 'delegator is required. Try: a text.',
      notes: "notes '5' is of the wrong kind. Try: a text.",
    });
  });

  test('when a category is made or changed; its own id may be sent back', async () => {
    const { json: made } = await boss.postJson(`${base}/category`, { name: 'Misspelt' });
    const errors = { descripton: 'descripton is not known. Try: name, description.' };
    const body = { ...made, descripton: 'x' };
    for (const answer of [
      await boss.postJson(`${base}/category`, { ...body, name: 'Another' }),
      await boss.putJson(`${base}/category/${made.id}`, body),
    ]) {
      expect([answer.status, answer.json.errors]).toEqual([400, errors]);
    }
    const back = await boss.putJson(`${base}/category/${made.id}`, made);
    expect([back.status, back.json]).toEqual([200, made]);
  });

  test('twenty of them are told at most, and none at its full length', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i} ${'x'.repeat(500)}`, i]));
    const { json } = await boss.postJson(`${base}/delegation`, { ...wish, ...many });
    const names = Object.keys(json.errors);
    expect(names).toHaveLength(20);
    for (const name of names) expect(name).toHaveLength(201);
  });
});

test.each([
  ['2031-03-18T18:00Z', '2031-03-18T18:00Z'],
  ['2031-03-18T18:00:00Z', '2031-03-18T18:00Z'],
  ['2031-03-18T18:00:00.000Z', '2031-03-18T18:00Z'],
  ['2031-03-18t18:00z', '2031-03-18T18:00Z'],
  ['2031-03-18T18:00+03:00', '2031-03-18T15:00Z'],
  ['2031-03-18T18:00+0300', '2031-03-18T15:00Z'],
  ['2031-03-18T18:00:00-09:30', '2031-03-19T03:30Z'],
])('a start of %s is told as %s', async (startDate, told) => {
  const { status, json } = await boss.postJson(`${base}/delegation`, { ...wish, startDate });
  expect([status, json.startDate]).toEqual([200, told]);
});

test.each([
  '2031-03-18',
  '2031-03-18T18:00',
  '2031-03-18 18:00Z',
  '2031-03-18T18:00:01Z',
  '2031-03-18T18:00:00.001Z',
  '2031-02-30T18:00Z',
  '2031-03-18T24:00Z',
  '2031-03-18T18:60Z',
  '2031-03-18T18:00+19:00',
  '0000-03-18T18:00Z',
])('a start of %s is refused', async (startDate) => {
  const { status, json } = await boss.postJson(`${base}/delegation`, { ...wish, startDate });
  expect([status, Object.keys(json.errors)]).toEqual([400, ['startDate']]);
});

test('a wrong order of times is told of the end, as the member it was sent as', async () => {
  const { json } = await boss.postJson(`${base}/delegation`, { ...wish, endDate: wish.startDate });
  expect(Object.keys(json.errors)).toEqual(['endDate']);
});

test.each([
  [{ delegates: ['nobody'] }, 'unknown-name'],
  [{ categoryIds: [99] }, 'unknown-name'],
  [{ delegates: ['dora', 'dora'] }, 'conflicting-values'],
  [{ delegates: ['carl'] }, 'conflicting-values'],
  [{ endDate: wish.startDate }, 'conflicting-values'],
  [{ notes: 'x'.repeat(2_001) }, 'invalid-value'],
  [{ delegates: ['nobody'], endDate: wish.startDate }, 'invalid-value'],
])('%j is refused with the reason its mistakes share: %s', async (wrong, reason) => {
  const { status, json } = await boss.postJson(`${base}/delegation`, { ...wish, ...wrong });
  expect([status, json.reason]).toEqual([400, reason]);
});

describe('the list', () => {
  const mark = 'Of the list';
  let ids: number[];
  beforeAll(async () => {
    ids = [];
    for (const [delegator, delegates, startDate, endDate] of [
      ['hugo', ['iris'], '2031-03-01T00:00Z', '2031-03-05T06:07Z'],
      ['hugo', ['jack', 'iris'], '2031-03-01T00:00Z', '2031-03-05T06:08Z'],
      ['iris', ['hugo'], '2031-04-01T00:00Z', '2031-05-01T00:00Z'],
      ['pete', ['owen'], '2031-04-01T00:00Z', '2031-05-01T00:00Z'],
    ] as const) {
      const notes = `${mark}: ${delegator}`;
      const { json } = await boss.postJson(`${base}/delegation`, {
        delegator,
        delegates,
        startDate,
        endDate,
        notes,
      });
      ids.push(json.delegationId);
    }
  });
  const list = async (parameters: Record<string, string>, principal = boss) => {
    const { json } = await principal.get(`${base}/delegation`, parameters);
    const { values, ...page } = json;
    return { ...page, found: values.map((one: { delegationId: number }) => ids.indexOf(one.delegationId)) };
  };

  test.each([
    [{ notes: 'OF THE list' }, { total: 3, startAt: 0, pageSize: 100, found: [1, 2, 3] }],
    [
      { notes: mark, includeExpired: 'true' },
      { total: 4, startAt: 0, pageSize: 100, found: [0, 1, 2, 3] },
    ],
    [
      { notes: mark, startAt: '1', maxResults: '1' },
      { total: 3, startAt: 1, pageSize: 1, found: [2] },
    ],
    [
      { notes: mark, startAt: '7' },
      { total: 3, startAt: 7, pageSize: 100, found: [] },
    ],
    [
      { notes: mark, maxResults: '100000' },
      { total: 3, startAt: 0, pageSize: 100, found: [1, 2, 3] },
    ],
    [
      { notes: mark, delegator: 'HUGO' },
      { total: 1, startAt: 0, pageSize: 100, found: [1] },
    ],
    [
      { notes: mark, delegate: 'iris' },
      { total: 1, startAt: 0, pageSize: 100, found: [1] },
    ],
    [
      { notes: mark, delegate: 'iris', INCLUDEEXPIRED: 'TRUE' },
      { total: 2, startAt: 0, pageSize: 100, found: [0, 1] },
    ],
  ] as [Record<string, string>, unknown][])('with %j', async (parameters, page) => {
    expect(await list(parameters)).toEqual(page);
  });

  test('has for others only what names them', async () => {
    expect(await list({ notes: mark }, dwell.as('hugo'))).toMatchObject({ total: 2, found: [1, 2] });
    expect(await list({ notes: mark }, dwell.as('bob'))).toMatchObject({ total: 0, found: [] });
  });

  test('has at most a hundred on a page', async () => {
    for (let i = 0; i < 101; i += 1) {
      await boss.postJson(`${base}/delegation`, { ...wish, active: false, notes: 'One of many' });
    }
    const { json } = await boss.get(`${base}/delegation`, { notes: 'one of many', maxResults: '101' });
    expect([json.total, json.pageSize, json.values.length]).toEqual([101, 100, 100]);
  });
});
