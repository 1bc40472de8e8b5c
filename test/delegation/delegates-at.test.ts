import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { coversCategory, delegatesAt, delegatorsAt, isInForce } from '../../src/delegation/delegates-at.ts';
import { aDelegation } from '../support/a-delegation.ts';
import { runs } from '../support/soak.ts';
import { anyCategory, anyDelegations, anyMinute, anyPerson, BEGIN } from './any-delegations.ts';
import { naiveMinute } from './naive-minute.ts';

const away = aDelegation('ada').to('bob').from('2026-03-02T09:00Z').until('2026-03-06T17:00Z');

describe('a delegation is in force', () => {
  test.each([
    ['not a millisecond before its start', '2026-03-02T08:59:59.999Z', false],
    ['from its start', '2026-03-02T09:00Z', true],
    ['until a millisecond before its end', '2026-03-06T16:59:59.999Z', true],
    ['not at its end', '2026-03-06T17:00Z', false],
  ])('%s', (_, at, expected) => {
    expect(isInForce(away.delegation, Date.parse(at))).toBe(expected);
  });

  test('never while it is inactive', () => {
    expect(isInForce(away.inactive().delegation, Date.parse('2026-03-03T12:00Z'))).toBe(false);
  });

  test('at no instant where it ends as it starts', () => {
    const none = away.until('2026-03-02T09:00Z').delegation;
    expect(isInForce(none, none.start)).toBe(false);
  });
});

describe('a delegation covers', () => {
  test.each([
    ['every category where it is general', [], 1, true],
    ['general where it is general', [], null, true],
    ['a category it names', [1, 2], 2, true],
    ['no category beside those it names', [1, 2], 3, false],
    ['not general where it names categories', [1, 2], null, false],
  ])('%s', (_, named, asked, expected) => {
    expect(coversCategory(away.in(...named).delegation, asked)).toBe(expected);
  });
});

const noon = Date.parse('2026-03-03T12:00Z');
const EXPENSES = 1;

test('delegates are told by the start of their delegation, then as named, and nobody twice', () => {
  const delegations = [
    aDelegation('ada').to('dora', 'bob').from('2026-03-03T08:00Z').delegation,
    aDelegation('ada').to('carl', 'bob').from('2026-03-02T08:00Z').delegation,
    aDelegation('bob').to('erik').delegation,
  ];
  expect(delegatesAt(delegations, 'ada', null, noon)).toEqual(['carl', 'bob', 'dora']);
});

test('of delegations with one start the lower id comes first', () => {
  const delegations = [
    aDelegation('ada').to('bob').numbered(12).delegation,
    aDelegation('ada').to('carl').numbered(9).delegation,
  ];
  expect(delegatesAt(delegations, 'ada', null, noon)).toEqual(['carl', 'bob']);
});

test('delegators are told by the start of their delegation, and nobody twice', () => {
  const delegations = [
    aDelegation('carl').to('bob').from('2026-03-03T08:00Z').delegation,
    aDelegation('ada').to('dora', 'bob').from('2026-03-02T08:00Z').delegation,
    aDelegation('ada').to('bob').from('2026-03-03T09:00Z').delegation,
    aDelegation('erik').to('dora').delegation,
  ];
  expect(delegatorsAt(delegations, 'bob', null, noon)).toEqual(['ada', 'carl']);
});

describe('where some is general and some of a category', () => {
  const delegations = [
    aDelegation('ada').to('bob').in(EXPENSES).delegation,
    aDelegation('ada').to('carl').delegation,
  ];

  test.each([
    ['the category has both', EXPENSES, ['bob', 'carl']],
    ['general has what is general only', null, ['carl']],
    ['another category has what is general only', 2, ['carl']],
  ])('%s', (_, category, expected) => {
    expect(delegatesAt(delegations, 'ada', category, noon)).toEqual(expected);
    expect(delegatorsAt(delegations, 'bob', category, noon)).toEqual(expected.includes('bob') ? ['ada'] : []);
  });
});

test('both look-ups tell what looking at every delegation tells, at every minute and boundary', () => {
  fc.assert(
    fc.property(
      anyDelegations,
      anyPerson,
      anyCategory,
      anyMinute,
      (delegations, person, category, minute) => {
        for (const at of [BEGIN + minute * millisecondsInMinute - 1, BEGIN + minute * millisecondsInMinute]) {
          const naive = naiveMinute(delegations, at);
          expect(delegatesAt(delegations, person, category, at)).toEqual(naive.delegates(person, category));
          expect(delegatorsAt(delegations, person, category, at)).toEqual(naive.delegators(person, category));
        }
      },
    ),
    { seed: 20260302, numRuns: runs(200) },
  );
});
