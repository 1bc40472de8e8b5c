import { type DelegationRight, delegationRights } from '../../model/delegation.ts';

/** Whether a right is at least as much as another. */
export function permits(right: DelegationRight, wanted: DelegationRight): boolean {
  return delegationRights.indexOf(right) >= delegationRights.indexOf(wanted);
}
