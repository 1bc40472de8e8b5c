import type { Delegation } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Asker } from '../../model/request.ts';
import type { DelegationApi } from '../delegation.ts';
import { type AskerRights, concerns } from './asker-rights.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { endedNow } from './ended-now.ts';
import { notAllowed } from './not-allowed.ts';
import { permits } from './permits.ts';
import { queryDelegations } from './query-delegations.ts';

/** Delegations one by one and as a list. Who has no right to one does not learn either whether there is one. */
export function delegationRecords(
  { register, users, now }: DelegationParts,
  rights: AskerRights,
): Pick<DelegationApi, 'delegation' | 'delegations' | 'create' | 'update' | 'end' | 'versions'> {
  async function visible(asker: Asker, id: number): Promise<Delegation> {
    const right = await rights.viewing(asker);
    if (permits(right, 'all')) return register.delegation(id);
    const found = await orNull(register.delegation(id));
    if (found === null || !concerns(found, asker.user)) throw notAllowed('viewOne');
    return found;
  }

  async function editable(asker: Asker, id: number): Promise<Delegation> {
    const right = await rights.viewing(asker);
    if (permits(right, 'edit')) return register.delegation(id);
    const found = permits(right, 'all')
      ? await register.delegation(id)
      : await orNull(register.delegation(id));
    if (found?.delegator !== asker.user) throw notAllowed('editOthers');
    return found;
  }

  return {
    delegation: visible,
    async delegations(asker, query) {
      const seesAll = permits(await rights.viewing(asker), 'all');
      const all = await register.delegations();
      const seen = seesAll ? all : all.filter((one) => concerns(one, asker.user));
      return queryDelegations(seen, query, { now: now(), known: seesAll ? await users() : null });
    },
    async create(asker, wish) {
      const right = await rights.viewing(asker);
      if (!permits(right, 'edit') && !(await rights.isSelf(asker, wish.delegator))) {
        throw notAllowed('editOthers');
      }
      return register.add(wish, asker.user);
    },
    async update(asker, id, wish) {
      await editable(asker, id);
      return register.change(id, () => wish, asker.user);
    },
    async end(asker, id) {
      await editable(asker, id);
      return register.change(id, (kept) => endedNow(kept, id, now()), asker.user);
    },
    async versions(asker, id) {
      const { delegator } = await visible(asker, id);
      if (register.own === null) throw notAllowed('elsewhere');
      const all = await register.own.versions(id);
      const seesAll = delegator === asker.user || permits(await rights.of(asker), 'all');
      return seesAll ? all : all.filter((version) => concerns(version, asker.user));
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
