import type { Delegation } from '../model/delegation.ts';

/** The order in which delegations count: by start, those of one start by id. */
export function compareByStart(a: Delegation, b: Delegation): number {
  return a.start - b.start || a.id - b.id;
}
