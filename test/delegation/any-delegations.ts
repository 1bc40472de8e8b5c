import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import type { Delegation } from '../../src/model/delegation.ts';

export const people = ['ada', 'bob', 'carl', 'dora'] as const;
export const categoryIds = [1, 2] as const;

/** Delegations begin at this instant or up to 40 minutes later, and last at most 20 minutes. */
export const BEGIN = Date.parse('2026-03-02T09:00Z');

/** So many minutes after that all are over. */
export const MINUTES = 60;

/** Few people and little time, so that chains, circles, overlaps and gaps are frequent. */
export const anyDelegations: fc.Arbitrary<readonly Delegation[]> = fc
  .array(
    fc
      .record({
        active: fc.constantFrom(true, true, true, true, false),
        delegator: fc.constantFrom(...people),
        delegates: fc.uniqueArray(fc.constantFrom(...people), { minLength: 1, maxLength: 3 }),
        categoryIds: fc.oneof(fc.constant([]), fc.uniqueArray(fc.constantFrom(...categoryIds))),
        first: fc.nat(40),
        length: fc.nat(20),
      })
      .filter(({ delegator, delegates }) => !delegates.includes(delegator)),
    { maxLength: 16, size: 'max' },
  )
  .map((wishes) =>
    wishes.map(({ first, length, ...wish }, i) => {
      const start = BEGIN + first * millisecondsInMinute;
      return {
        ...wish,
        id: wishes.length - i,
        version: 1,
        start,
        end: start + length * millisecondsInMinute,
        notes: '',
      };
    }),
  );

export const anyPerson = fc.constantFrom(...people);
export const anyCategory = fc.constantFrom(null, ...categoryIds);
export const anyMinute = fc.integer({ min: -1, max: MINUTES });
