import type { Delegation, DelegationRight } from '../../model/delegation.ts';
import type { Principal } from '../../model/principal.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { notAllowed } from './not-allowed.ts';
import { permits } from './permits.ts';
import { rightOf } from './right-of.ts';
import { storedId } from './stored-id.ts';

/** The rights of principals, looked up anew with every question. */
export interface PrincipalRights {
  of(principal: Principal): Promise<DelegationRight>;
  /** The right of a principal who may view at least something; `not-allowed` for others. */
  viewing(principal: Principal): Promise<DelegationRight>;
  /** Throws unless the principal may view everybody's. */
  viewingAll(principal: Principal): Promise<void>;
  editingCategories(principal: Principal): Promise<void>;
  /** Whether somebody who is named, in whatever case, is the principal. */
  isSelf(principal: Principal, name: string): Promise<boolean>;
}

export function principalRights({ permissions, groups, users }: DelegationParts): PrincipalRights {
  const of = async (principal: Principal) =>
    rightOf(principal, { permissions: await permissions(), groups: await groups(), users: await users() });

  async function viewing(principal: Principal): Promise<DelegationRight> {
    const right = await of(principal);
    if (right === 'none') throw notAllowed('view');
    return right;
  }

  return {
    of,
    viewing,
    async viewingAll(principal) {
      if (!permits(await viewing(principal), 'all')) throw notAllowed('askOthers');
    },
    async editingCategories(principal) {
      if (!permits(await viewing(principal), 'edit')) throw notAllowed('editCategories');
    },
    isSelf: async (principal, name) =>
      name === principal.account || storedId(await users(), name) === principal.account,
  };
}

/** Whether somebody (by stored id) is one of the two sides. */
export function concerns({ delegator, delegates }: Delegation, user: string): boolean {
  return delegator === user || delegates.includes(user);
}
