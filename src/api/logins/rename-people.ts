import type { DelegateLookup, DelegationInput } from '../../model/delegation.ts';

/** Another word for the same person. */
export type Rename = (person: string) => string;

/** A delegation, or the wish for one, with its people by other names. */
export function renamePeople<Wish extends DelegationInput>(wish: Wish, rename: Rename): Wish {
  return { ...wish, delegator: rename(wish.delegator), delegates: wish.delegates.map(rename) };
}

/** The same of the answer to a look-up. */
export function renameStandIns(told: DelegateLookup, rename: Rename): DelegateLookup {
  return { ...told, person: rename(told.person), others: told.others.map(rename) };
}
