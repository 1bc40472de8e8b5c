import type { DelegationApi } from './delegation.ts';
import { delegationCategories } from './delegations/categories.ts';
import type { DelegationParts } from './delegations/delegation-parts.ts';
import { lookUps } from './delegations/look-ups.ts';
import { principalRights } from './delegations/principal-rights.ts';
import { delegationRecords } from './delegations/records.ts';
import { delegateTimes } from './delegations/stand-in-times.ts';

/** The delegation port: the rights of the principal, then the register. */
export function createDelegations(parts: DelegationParts): DelegationApi {
  const rights = principalRights(parts);
  return {
    rightOf: rights.of,
    ...lookUps(parts, rights),
    ...delegationRecords(parts, rights),
    ...delegationCategories(parts, rights),
    ...delegateTimes(parts, rights),
  };
}
