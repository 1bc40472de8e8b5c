import type { Delegation, DelegationRight } from '../../model/delegation.ts';
import type { Asker } from '../../model/request.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { notAllowed } from './not-allowed.ts';
import { permits } from './permits.ts';
import { rightOf } from './right-of.ts';
import { storedId } from './stored-id.ts';

/** The rights of askers, looked up anew with every question. */
export interface AskerRights {
  of(asker: Asker): Promise<DelegationRight>;
  /** The right of an asker who may view at least something; `not-allowed` for others. */
  viewing(asker: Asker): Promise<DelegationRight>;
  /** Throws unless the asker may view everybody's. */
  viewingAll(asker: Asker): Promise<void>;
  editingCategories(asker: Asker): Promise<void>;
  /** Whether somebody who is named, in whatever case, is the asker. */
  isSelf(asker: Asker, name: string): Promise<boolean>;
}

export function askerRights({ permissions, groups, users }: DelegationParts): AskerRights {
  const of = async (asker: Asker) =>
    rightOf(asker, { permissions: await permissions(), groups: await groups(), users: await users() });

  async function viewing(asker: Asker): Promise<DelegationRight> {
    const right = await of(asker);
    if (right === 'none') throw notAllowed('view');
    return right;
  }

  return {
    of,
    viewing,
    async viewingAll(asker) {
      if (!permits(await viewing(asker), 'all')) throw notAllowed('askOthers');
    },
    async editingCategories(asker) {
      if (!permits(await viewing(asker), 'edit')) throw notAllowed('editCategories');
    },
    isSelf: async (asker, name) => name === asker.user || storedId(await users(), name) === asker.user,
  };
}

/** Whether somebody (by stored id) is one of the two sides. */
export function concerns({ delegator, delegates }: Delegation, user: string): boolean {
  return delegator === user || delegates.includes(user);
}
