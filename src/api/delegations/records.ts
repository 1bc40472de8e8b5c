import type { Delegation } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import type { DelegationApi } from '../delegation.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { endedNow } from './ended-now.ts';
import { notAllowed } from './not-allowed.ts';
import { permits } from './permits.ts';
import { concerns, type PrincipalRights } from './principal-rights.ts';
import { queryDelegations } from './query-delegations.ts';

/** Delegations one by one and as a list. Who has no right to one does not learn either whether there is one. */
export function delegationRecords(
  { register, users, now }: DelegationParts,
  rights: PrincipalRights,
): Pick<DelegationApi, 'delegation' | 'delegations' | 'create' | 'update' | 'end' | 'versions'> {
  async function visible(principal: Principal, id: number): Promise<Delegation> {
    const right = await rights.viewing(principal);
    if (permits(right, 'all')) return register.delegation(id);
    const found = await orNull(register.delegation(id));
    if (found === null || !concerns(found, principal.account)) throw notAllowed('viewOne');
    return found;
  }

  async function editable(principal: Principal, id: number): Promise<Delegation> {
    const right = await rights.viewing(principal);
    if (permits(right, 'edit')) return register.delegation(id);
    const found = permits(right, 'all')
      ? await register.delegation(id)
      : await orNull(register.delegation(id));
    if (found?.delegator !== principal.account) throw notAllowed('editOthers');
    return found;
  }

  return {
    delegation: visible,
    async delegations(principal, query) {
      const seesAll = permits(await rights.viewing(principal), 'all');
      const all = await register.delegations();
      const seen = seesAll ? all : all.filter((one) => concerns(one, principal.account));
      return queryDelegations(seen, query, { now: now(), known: seesAll ? await users() : null });
    },
    async create(principal, wish) {
      const right = await rights.viewing(principal);
      if (!permits(right, 'edit') && !(await rights.isSelf(principal, wish.delegator))) {
        throw notAllowed('editOthers');
      }
      return register.add(wish, principal.account);
    },
    async update(principal, id, wish) {
      await editable(principal, id);
      return register.change(id, () => wish, principal.account);
    },
    async end(principal, id) {
      await editable(principal, id);
      return register.change(id, (kept) => endedNow(kept, id, now()), principal.account);
    },
    async versions(principal, id) {
      const { delegator } = await visible(principal, id);
      if (register.own === null) throw notAllowed('elsewhere');
      const all = await register.own.versions(id);
      const seesAll = delegator === principal.account || permits(await rights.of(principal), 'all');
      return seesAll ? all : all.filter((version) => concerns(version, principal.account));
    },
  };
}

async function orNull(asked: Promise<Delegation>): Promise<Delegation | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}
