import fc from 'fast-check';
import type { DelegateTime, DelegateTimes } from '../../src/model/delegation.ts';
import { anInstant } from './arbitrary-issue.ts';

const aStandIn = fc.record({
  delegate: fc.constantFrom('2', '3', 'dora'),
  category: fc.constantFrom({ id: null, name: 'general' }, { id: 7, name: 'Expense' }),
  /** Whether nobody stands in until the next one begins. */
  pause: fc.boolean(),
});

/** Disjoint stretches of one owner, some of which adjoin; they begin and end at instants at which issues change. */
export const someStretches: fc.Arbitrary<readonly DelegateTime[]> = fc
  .tuple(fc.uniqueArray(anInstant, { maxLength: 8 }), fc.array(aStandIn, { minLength: 8, maxLength: 8 }))
  .map(([instants, standIns]) => {
    const sorted = instants.toSorted((a, b) => a - b);
    return sorted.slice(1).flatMap((end, i): DelegateTime[] => {
      const [start, standIn] = [sorted[i], standIns[i]];
      if (start === undefined || standIn === undefined || standIn.pause) return [];
      return [{ start, end, delegate: standIn.delegate, category: standIn.category }];
    });
  });

/** Who stood in for some of the assignees of `anyIssue`. */
export const anyStandInTimes: fc.Arbitrary<DelegateTimes> = fc
  .record({ '1': someStretches, '2': someStretches, '3': someStretches })
  .map((byOwner) => {
    const times = new Map<string, readonly DelegateTime[]>(Object.entries(byOwner));
    return (owner) => times.get(owner) ?? [];
  });
