import type { Delegation, DelegationInput } from '../../src/model/delegation.ts';

/** A delegation told step by step; every instant is ISO text. */
export interface DelegationTold {
  /** Who stands in, in the order in which they are to be asked. */
  to(...delegates: readonly string[]): DelegationTold;
  /** Ids of its categories; without any it is general. */
  in(...categoryIds: readonly number[]): DelegationTold;
  from(start: string): DelegationTold;
  until(end: string): DelegationTold;
  inactive(): DelegationTold;
  noted(notes: string): DelegationTold;
  numbered(id: number): DelegationTold;
  inVersion(version: number): DelegationTold;
  readonly delegation: Delegation;
  /** The same as somebody would wish it: without id and version. */
  readonly wish: DelegationInput;
}

/** The delegations told so far. */
export function delegationsOf(told: readonly Pick<DelegationTold, 'delegation'>[]): readonly Delegation[] {
  return told.map(({ delegation }) => delegation);
}

let latestId = 0;

/**
 * An active, general delegation of somebody to nobody yet, from Monday 2 March 2026, 09:00 UTC, to the Friday of the
 * week after it, 17:00 UTC. Ids rise from 1 unless told.
 */
export function aDelegation(delegator: string): DelegationTold {
  latestId += 1;
  return tell({
    id: latestId,
    version: 1,
    active: true,
    delegator,
    delegates: [],
    categoryIds: [],
    start: Date.parse('2026-03-02T09:00Z'),
    end: Date.parse('2026-03-13T17:00Z'),
    notes: '',
  });
}

function tell(delegation: Delegation): DelegationTold {
  const { id: _, version: __, ...wish } = delegation;
  return {
    delegation,
    wish,
    to: (...delegates) => tell({ ...delegation, delegates }),
    in: (...categoryIds) => tell({ ...delegation, categoryIds }),
    from: (start) => tell({ ...delegation, start: Date.parse(start) }),
    until: (end) => tell({ ...delegation, end: Date.parse(end) }),
    inactive: () => tell({ ...delegation, active: false }),
    noted: (notes) => tell({ ...delegation, notes }),
    numbered: (newId) => tell({ ...delegation, id: newId }),
    inVersion: (version) => tell({ ...delegation, version }),
  };
}
