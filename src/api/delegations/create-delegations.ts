import { millisecondsInMinute } from 'date-fns/constants';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { Delegation, DelegationInput, DelegationPermissions } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { isoMinute } from '../../time/iso-dates.ts';
import { storedId, unknownUser } from '../people/logins.ts';
import type { DelegationApi, DelegationQuery, OwnRegister, Register } from './delegation-api.ts';
import { delegateTimes, lookUps } from './delegation-lookups.ts';
import { concerns, notAllowed, type PrincipalRights, permits, principalRights } from './delegation-rights.ts';

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

/** What the delegation port is made of: a register, wherever it is kept, and who may do what with it. */
export interface DelegationParts {
  readonly register: Register;
  readonly permissions: () => Promise<DelegationPermissions>;
  readonly groups: () => Promise<readonly Group[]>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
}

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

/** Categories are for everybody to read who may view anything. */
export function delegationCategories(
  { register }: DelegationParts,
  rights: PrincipalRights,
): Pick<
  DelegationApi,
  'categories' | 'permitCategories' | 'createCategory' | 'updateCategory' | 'deleteCategory'
> {
  async function editor(principal: Principal): Promise<OwnRegister> {
    await rights.editingCategories(principal);
    if (register.own === null) throw notAllowed('elsewhere');
    return register.own;
  }

  return {
    async categories(principal) {
      await rights.viewing(principal);
      return register.categories();
    },
    async permitCategories(principal) {
      await editor(principal);
    },
    createCategory: async (principal, wish) => (await editor(principal)).addCategory(wish),
    updateCategory: async (principal, id, wish) => (await editor(principal)).changeCategory(id, wish),
    deleteCategory: async (principal, id) => (await editor(principal)).removeCategory(id),
  };
}

/** `known`: everybody the principal may know of; null: nobody but those in the delegations. */
interface QueryContext {
  readonly now: Instant;
  readonly known: ReadonlyMap<string, User> | null;
}

/** The part of the delegations (in their order) that a query asks for, and how many match. */
export function queryDelegations(
  delegations: readonly Delegation[],
  query: DelegationQuery,
  { now, known }: QueryContext,
): { readonly values: readonly Delegation[]; readonly total: number } {
  const named = delegations.flatMap(({ delegator, delegates }) => [delegator, ...delegates]);
  const people = new Set([...(known?.keys() ?? []), ...named]);
  const idOf = (name: string): string => {
    const id = storedId(people, name);
    // Of somebody who may not be known there is nothing to be seen, as of anybody else who is not in the list.
    if (id === null && known !== null) throw unknownUser(name);
    return id ?? name;
  };
  const delegator = query.delegator === null ? null : idOf(query.delegator);
  const delegate = query.delegate === null ? null : idOf(query.delegate);
  const notes = foldedName(query.notes);
  const found = delegations.filter(
    (one) =>
      (query.includeExpired || one.end > now) &&
      (delegator === null || one.delegator === delegator) &&
      (delegate === null || one.delegates.includes(delegate)) &&
      foldedName(one.notes).includes(notes),
  );
  return { values: found.slice(query.start, query.start + query.size), total: found.length };
}

/**
 * The delegation with its end at the start of the running minute: from now on nobody stands in. One that did not start
 * before that would have no length, and becomes inactive.
 */
export function endedNow(kept: DelegationInput, id: number, now: Instant): DelegationInput {
  const allowed = 'allowed: one that is active and not over yet';
  if (!kept.active) throw badRequest(`delegation '${id}' is inactive; ${allowed}.`);
  if (kept.end <= now) {
    throw badRequest(`delegation '${id}' is over since ${isoMinute(kept.end)}; ${allowed}.`);
  }
  const end = Math.floor(now / millisecondsInMinute) * millisecondsInMinute;
  return end > kept.start ? { ...kept, end } : { ...kept, active: false };
}
