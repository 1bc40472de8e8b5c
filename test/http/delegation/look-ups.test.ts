import { beforeAll, describe, expect, test } from '#jest';
import type { TestDwell } from '../../support/start-dwell.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';
import { bases } from './credentials.ts';

const [base] = bases;

const dwell = suiteDwell({ at: '2031-03-05T06:07:08.900Z', environment: { TIME_ZONE: 'Europe/Berlin' } });
let boss: ReturnType<TestDwell['as']>;
beforeAll(async () => {
  boss = dwell.as('ada', { admin: true });
  const { json: audit } = await boss.postJson(`${base}/category`, { name: 'Año Audit' });
  const delegations = [
    { delegator: 'carl', delegates: ['dora', 'emil'], from: '2031-03-05T06:07Z', until: '2031-03-05T06:08Z' },
    { delegator: 'hugo', delegates: ['iris'], from: '2031-03-30T01:30Z', until: '2031-10-26T00:30Z' },
    { delegator: 'hugo', delegates: ['jack'], from: '2031-10-26T01:00Z', until: '2031-10-27T00:00Z' },
    { delegator: 'pete', delegates: ['owen'], from: '2032-02-28T23:00Z', until: '2032-02-29T23:00Z' },
    {
      delegator: 'carl',
      delegates: ['faye', 'dora'],
      from: '2031-03-05T06:00Z',
      until: '2031-03-06T00:00Z',
      categoryIds: [audit.id],
    },
    { delegator: 'gina', delegates: ['dora'], from: '2031-03-01T00:00Z', until: '2031-04-01T00:00Z' },
  ];
  for (const { from: startDate, until: endDate, ...rest } of delegations) {
    const { status } = await boss.postJson(`${base}/delegation`, { ...rest, startDate, endDate });
    expect(status).toBe(200);
  }
});

const delegatesOf = (parameters: Record<string, string>) =>
  boss.get(`${base}/delegation/getDelegates`, { category: 'general', ...parameters });

describe.each(bases)('at %s', (at) => {
  test('getDelegates tells who stands in now, with the stored names', async () => {
    const { status, type, json } = await boss.get(`${at}/delegation/getDelegates`, {
      DELEGATOR: 'CARL',
      category: 'GENERAL',
    });
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(json).toEqual({
      delegator: 'carl',
      asOf: '2031-03-05 07:07:08 +0100',
      category: 'general',
      delegates: ['dora', 'emil'],
    });
  });

  test('getDelegators tells for whom somebody stands in', async () => {
    const { status, json } = await boss.get(`${at}/delegation/getDelegators`, {
      delegate: 'dora',
      category: 'general',
    });
    expect([status, json]).toEqual([
      200,
      {
        delegate: 'dora',
        asOf: '2031-03-05 07:07:08 +0100',
        category: 'general',
        delegators: ['gina', 'carl'],
      },
    ]);
  });
});

test('a named category is covered by general as well, and its name is told as it is stored', async () => {
  const { json } = await delegatesOf({ delegator: 'carl', category: 'AÑO aUDIT' });
  expect(json).toMatchObject({ category: 'Año Audit', delegates: ['faye', 'dora', 'emil'] });
});

describe('datetime is read on the clock of the server', () => {
  test.each([
    ['the minute before the start', 'carl', '2031-03-05 07:06:59', '2031-03-05 07:06:59 +0100', []],
    ['the very start', 'carl', '2031-03-05 07:07:00', '2031-03-05 07:07:00 +0100', ['dora', 'emil']],
    ['the last second', 'carl', '2031-03-05 07:07:59', '2031-03-05 07:07:59 +0100', ['dora', 'emil']],
    ['the very end', 'carl', '2031-03-05 07:08:00', '2031-03-05 07:08:00 +0100', []],
    ['before a gap', 'hugo', '2031-03-30 01:59:59', '2031-03-30 01:59:59 +0100', []],
    ['in a gap: moved forward by it', 'hugo', '2031-03-30 02:30:00', '2031-03-30 03:30:00 +0200', ['iris']],
    ['in a gap, a second less', 'hugo', '2031-03-30 02:29:59', '2031-03-30 03:29:59 +0200', []],
    [
      'in an overlap: the first is meant',
      'hugo',
      '2031-10-26 02:29:59',
      '2031-10-26 02:29:59 +0200',
      ['iris'],
    ],
    ['in an overlap, at the end', 'hugo', '2031-10-26 02:30:00', '2031-10-26 02:30:00 +0200', []],
    ['after an overlap', 'hugo', '2031-10-26 03:00:00', '2031-10-26 03:00:00 +0100', ['jack']],
    ['before a leap day', 'pete', '2032-02-28 23:59:59', '2032-02-28 23:59:59 +0100', []],
    ['on a leap day', 'pete', '2032-02-29 00:00:00', '2032-02-29 00:00:00 +0100', ['owen']],
    ['at the end of a leap day', 'pete', '2032-02-29 23:59:59', '2032-02-29 23:59:59 +0100', ['owen']],
    ['after a leap day', 'pete', '2032-03-01 00:00:00', '2032-03-01 00:00:00 +0100', []],
  ])('%s', async (_, delegator, datetime, asOf, delegates) => {
    const { status, json } = await delegatesOf({ delegator, datetime });
    expect([status, json]).toEqual([200, { delegator, asOf, category: 'general', delegates }]);
  });
});

test.each([
  '2031-02-29 10:00:00',
  '2031-03-05',
  '2031-03-05T07:07:00',
  '2031-03-05 07:07',
  '2031-03-05 24:00:00',
  '2031-03-05 07:07:60',
  '0000-01-01 00:00:00',
  'now',
])('datetime %s is refused', async (datetime) => {
  const { status, json } = await delegatesOf({ delegator: 'carl', datetime });
  const sentence = `datetime '${datetime}' is not a date with a time. Try: yyyy-MM-dd HH:mm:ss.`;
  expect([status, json.errors]).toEqual([400, { datetime: sentence }]);
});

test('a parameter nobody reads is named, and the look-up is answered all the same', async () => {
  const { status, headers } = await delegatesOf({ delegator: 'carl', dateTime: '', date: '2031-01-01' });
  expect([status, headers.get('x-ignored-parameters')]).toEqual([200, 'date']);
});
