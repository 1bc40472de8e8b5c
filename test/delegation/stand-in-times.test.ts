import { describe, expect, test } from '#jest';
import { standInTimesOf } from '../../src/delegation/stand-in-times.ts';
import type { CategoryId, Delegation } from '../../src/model/delegation.ts';
import { aDelegation } from '../support/a-delegation.ts';

const general = { id: null, name: 'general' };
const expenses = { id: 1, name: 'Expenses' };
const approvals = { id: 2, name: 'Approvals' };

/** The times of ada in short: from, until, who, in what. */
function timesOfAda(
  delegations: readonly Delegation[],
  categories: readonly { id: CategoryId; name: string }[] = [general, expenses, approvals],
) {
  const text = (at: number) => new Date(at).toISOString().slice(5, 16);
  return standInTimesOf(
    delegations,
    categories,
  )('ada').map(({ start, end, delegate, category }) =>
    [text(start), text(end), delegate, category.name].join(' '),
  );
}

const week = (delegator: string) =>
  aDelegation(delegator).from('2026-03-02T09:00Z').until('2026-03-06T17:00Z');
const wednesday = (delegator: string) =>
  aDelegation(delegator).from('2026-03-04T00:00Z').until('2026-03-05T00:00Z');

test('the first delegate who is there stood in from start to end', () => {
  expect(timesOfAda([week('ada').to('bob', 'carl').delegation])).toEqual([
    '03-02T09:00 03-06T17:00 bob general',
  ]);
});

test('nobody stood in for who has no delegate, or an inactive delegation only', () => {
  expect(timesOfAda([week('bob').to('ada').delegation, week('ada').to('bob').inactive().delegation])).toEqual(
    [],
  );
});

test('while the first delegate is away whoever stands in for that one does, before the second is asked', () => {
  expect(
    timesOfAda([week('ada').to('bob', 'carl').delegation, wednesday('bob').to('dora').delegation]),
  ).toEqual([
    '03-02T09:00 03-04T00:00 bob general',
    '03-04T00:00 03-05T00:00 dora general',
    '03-05T00:00 03-06T17:00 bob general',
  ]);
});

test('while the first delegate is away in a circle the second is asked', () => {
  expect(
    timesOfAda([week('ada').to('bob', 'carl').delegation, wednesday('bob').to('ada').delegation]),
  ).toEqual([
    '03-02T09:00 03-04T00:00 bob general',
    '03-04T00:00 03-05T00:00 carl general',
    '03-05T00:00 03-06T17:00 bob general',
  ]);
});

test('while all are away in a circle nobody stands in', () => {
  expect(timesOfAda([week('ada').to('bob').delegation, wednesday('bob').to('ada').delegation])).toEqual([
    '03-02T09:00 03-04T00:00 bob general',
    '03-05T00:00 03-06T17:00 bob general',
  ]);
});

test('delegations to the same person that overlap or adjoin are one stretch', () => {
  expect(
    timesOfAda([
      week('ada').to('bob').delegation,
      wednesday('ada').to('bob').delegation,
      aDelegation('ada').to('bob').from('2026-03-06T17:00Z').until('2026-03-09T09:00Z').delegation,
    ]),
  ).toEqual(['03-02T09:00 03-09T09:00 bob general']);
});

describe('with a general delegation to bob and one of expenses to carl on Wednesday', () => {
  const delegations = [week('ada').to('bob').delegation, wednesday('ada').to('carl').in(1).delegation];
  const bobAllWeek = (name: string) => [`03-02T09:00 03-06T17:00 bob ${name}`];
  const carlOnWednesday = (name: string) => [
    `03-02T09:00 03-04T00:00 bob ${name}`,
    '03-04T00:00 03-05T00:00 carl Expenses',
    `03-05T00:00 03-06T17:00 bob ${name}`,
  ];

  test.each([
    ['general first leaves nothing to expenses', [general, expenses], bobAllWeek('general')],
    ['expenses first has Wednesday, general the rest', [expenses, general], carlOnWednesday('general')],
    ['expenses alone has both, its own delegation first', [expenses], carlOnWednesday('Expenses')],
    ['general alone has its own only', [general], bobAllWeek('general')],
    ['approvals alone has the general one', [approvals], bobAllWeek('Approvals')],
    [
      'approvals before general leaves the general one to general',
      [approvals, general],
      bobAllWeek('general'),
    ],
    [
      'approvals before expenses has the general one, and leaves nothing',
      [approvals, expenses],
      bobAllWeek('Approvals'),
    ],
    ['no category, no stretch', [], []],
  ])('%s', (_, categories, expected) => {
    expect(timesOfAda(delegations, categories)).toEqual(expected);
  });
});

test('who is away in general is away in every category', () => {
  const delegations = [week('ada').to('bob').in(1).delegation, wednesday('bob').to('carl').delegation];
  expect(timesOfAda(delegations, [expenses, general])).toEqual([
    '03-02T09:00 03-04T00:00 bob Expenses',
    '03-04T00:00 03-05T00:00 carl Expenses',
    '03-05T00:00 03-06T17:00 bob Expenses',
  ]);
});

test('who is away in another category is there', () => {
  const delegations = [week('ada').to('bob').in(1).delegation, wednesday('bob').to('carl').in(2).delegation];
  expect(timesOfAda(delegations)).toEqual(['03-02T09:00 03-06T17:00 bob Expenses']);
});

test('where nobody stands in under the first category the next one counts', () => {
  const delegations = [
    week('ada').to('bob').in(1).delegation,
    week('bob').to('ada').in(1).delegation,
    wednesday('ada').to('carl').in(2).delegation,
  ];
  expect(timesOfAda(delegations, [expenses, approvals])).toEqual(['03-04T00:00 03-05T00:00 carl Approvals']);
});

test('an owner is worked out once', () => {
  const times = standInTimesOf([week('ada').to('bob').delegation], [general]);
  expect(times('ada')).toBe(times('ada'));
});
