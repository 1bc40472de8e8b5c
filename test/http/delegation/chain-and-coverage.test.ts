import { beforeAll, describe, expect, test } from '#jest';
import type { TestDwell } from '../../support/start-dwell.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';
import { bases } from './credentials.ts';

const [base] = bases;

const dwell = suiteDwell({ at: '2031-03-05T06:07:08.900Z', environment: { TIME_ZONE: 'Europe/Berlin' } });
let boss: ReturnType<TestDwell['as']>;
let audit: number;
let ids: number[];
beforeAll(async () => {
  boss = dwell.as('ada', { admin: true });
  audit = (await boss.postJson(`${base}/category`, { name: 'Audit' })).json.id;
  ids = [];
  for (const [delegator, delegates] of [
    ['carl', ['dora', 'emil']],
    ['dora', ['hugo']],
    ['emil', ['carl']],
  ] as const) {
    const { json } = await boss.postJson(`${base}/delegation`, {
      delegator,
      delegates,
      categoryIds: [audit],
      startDate: '2040-03-06T00:00Z',
      endDate: '2040-03-09T00:00Z',
    });
    ids.push(json.delegationId);
  }
});

test.each(bases)('getChain at %s goes on as far as somebody stands in, and tells circles', async (at) => {
  const { status, json } = await boss.get(`${at}/delegation/getChain`, {
    delegator: 'Carl',
    category: 'audit',
    datetime: '2040-03-07 08:00:00',
  });
  expect([status, json]).toEqual([
    200,
    {
      delegator: 'carl',
      asOf: '2040-03-07 08:00:00 +0100',
      category: 'Audit',
      paths: [
        { people: ['carl', 'dora', 'hugo'], backTo: null },
        { people: ['carl', 'emil'], backTo: 'carl' },
      ],
      more: false,
    },
  ]);
});

/** Far from what the sample company arranges. */
const week = { from: '2040-03-05', to: '2040-03-11' };
const coverage = (parameters: Record<string, string>, principal = boss) =>
  principal.get(`${base}/delegation/getCoverage`, parameters);

test.each(bases)('getCoverage at %s tells who covers for whom', async (at) => {
  const { status, json } = await boss.get(`${at}/delegation/getCoverage`, week);
  const record = (index: number, delegator: string, delegates: string[]) => ({
    delegationId: ids[index],
    version: 1,
    active: true,
    delegator,
    delegates,
    categoryIds: [audit],
    startDate: '2040-03-06T00:00Z',
    endDate: '2040-03-09T00:00Z',
    notes: '',
    categories: ['Audit'],
  });
  const all = [record(0, 'carl', ['dora', 'emil']), record(1, 'dora', ['hugo']), record(2, 'emil', ['carl'])];
  const away = (person: string, delegate: string) => ({
    person,
    delegate,
    category: 'Audit',
    standIns: ['hugo'],
    from: '2040-03-06T00:00Z',
    until: '2040-03-09T00:00Z',
  });
  expect(status).toBe(200);
  expect(json).toEqual({
    span: { from: '2040-03-04T23:00Z', until: '2040-03-11T23:00Z' },
    delegations: all,
    uncovered: [],
    awayToo: [away('carl', 'dora'), away('carl', 'emil'), away('emil', 'carl')],
    ending: all,
  });
});

test('getCoverage tells somebody who may not view all what concerns them, and not who is left', async () => {
  const { status, json } = await coverage(week, dwell.as('emil'));
  expect(status).toBe(200);
  const told = (records: { delegationId: number }[]) => records.map(({ delegationId }) => delegationId);
  expect([told(json.delegations), told(json.ending)]).toEqual([
    [ids[0], ids[2]],
    [ids[0], ids[2]],
  ]);
  expect([json.uncovered, json.awayToo]).toEqual([
    [],
    [
      {
        person: 'emil',
        delegate: 'carl',
        category: 'Audit',
        standIns: null,
        from: '2040-03-06T00:00Z',
        until: '2040-03-09T00:00Z',
      },
    ],
  ]);
});

test('getCoverage tells where nobody stands in, and why', async () => {
  for (const [delegator, delegate] of [
    ['owen', 'mona'],
    ['mona', 'owen'],
  ]) {
    await boss.postJson(`${base}/delegation`, {
      delegator,
      delegates: [delegate],
      startDate: '2040-05-02T10:00Z',
      endDate: '2040-05-02T11:30Z',
    });
  }
  const { json } = await coverage({ from: '2040-05-02', to: '2040-05-02' });
  const rest = { category: 'general', reason: 'loop', from: '2040-05-02T10:00Z', until: '2040-05-02T11:30Z' };
  expect(json.uncovered).toEqual([
    { person: 'mona', ...rest },
    { person: 'owen', ...rest },
  ]);
});

describe('the span', () => {
  test.each([
    ['without ends is the running week', {}, '2031-03-02T23:00Z', '2031-03-09T23:00Z'],
    [
      'of days includes the last',
      { from: '2031-03-05', to: '2031-03-06' },
      '2031-03-04T23:00Z',
      '2031-03-06T23:00Z',
    ],
    [
      'ends at the very minute that is told',
      { from: '2031-03-05 10:30', to: '2031-03-05 11:00' },
      '2031-03-05T09:30Z',
      '2031-03-05T10:00Z',
    ],
    [
      'may be told to the second, as datetime is',
      { from: '2031-03-05 10:30:00', to: '2031-03-05 11:00:00' },
      '2031-03-05T09:30Z',
      '2031-03-05T10:00Z',
    ],
    ['without an end ends with the week', { from: '2031-03-27' }, '2031-03-26T23:00Z', '2031-03-30T22:00Z'],
    [
      'without a beginning begins with the week',
      { to: '2031-03-30' },
      '2031-03-23T23:00Z',
      '2031-03-30T22:00Z',
    ],
    [
      'may be at the very beginning',
      { from: '1970-01-01', to: '1970-01-01' },
      '1969-12-31T23:00Z',
      '1970-01-01T23:00Z',
    ],
    [
      'may be at the very end',
      { from: '9999-12-31', to: '9999-12-31' },
      '9999-12-30T23:00Z',
      '9999-12-31T23:00Z',
    ],
    ['has its last week, too', { from: '9999-12-31' }, '9999-12-30T23:00Z', '9999-12-31T23:59Z'],
    ['knows leap days', { from: '2032-02-29', to: '2032-02-29' }, '2032-02-28T23:00Z', '2032-02-29T23:00Z'],
  ] as [string, Record<string, string>, string, string][])('%s', async (_, parameters, from, until) => {
    const { status, json } = await coverage(parameters);
    expect([status, json.span]).toEqual([200, { from, until }]);
  });

  test('that is none is refused, all of it', async () => {
    const allowed =
      'is not a date, or not a whole minute. Try: yyyy-MM-dd, yyyy-MM-dd HH:mm or yyyy-MM-dd HH:mm:00.';
    const { status, json } = await coverage({ from: '2031-03-05 10:30:01', to: 'friday' });
    expect([status, json.errors]).toEqual([
      400,
      { from: `from '2031-03-05 10:30:01' ${allowed}`, to: `to 'friday' ${allowed}` },
    ]);
  });

  test('outside the years in which a delegation can be is refused', async () => {
    const { status, json } = await coverage({ from: '1969-12-31', to: '0000-01-01 10:00' });
    const allowed = 'is out of range. Try: a date of the years 1970 to 9999.';
    expect([status, json.errors]).toEqual([
      400,
      { from: `from '1969-12-31' ${allowed}`, to: `to '0000-01-01 10:00' ${allowed}` },
    ]);
  });

  test.each([
    [{ from: '2031-03-05', to: '2031-03-04' }, ['to']],
    [{ from: '2031-03-05 10:00', to: '2031-03-05 10:00' }, ['to']],
    [{ from: '2031-01-01', to: '2032-12-31' }, ['to']],
  ])('%j is refused', async (parameters, names) => {
    const { status, json } = await coverage(parameters);
    expect([status, Object.keys(json.errors)]).toEqual([400, names]);
  });
});

test('a general delegation is told as general', async () => {
  await boss.postJson(`${base}/delegation`, {
    delegator: 'pete',
    delegates: ['owen'],
    startDate: '2040-06-04T00:00Z',
    endDate: '2040-06-05T00:00Z',
  });
  const { json } = await coverage({ from: '2040-06-01', to: '2040-06-30' });
  expect(json.delegations).toMatchObject([{ categoryIds: [], categories: ['general'] }]);
});
