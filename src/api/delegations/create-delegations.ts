import { millisecondsInMinute } from 'date-fns/constants';
import type { Delegation, DelegationInput } from '../../model/delegation.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { Principal } from '../../model/request.ts';
import { isoMinute } from '../../time/date-text.ts';
import { storedId, unknownUser } from '../people/logins.ts';
import type { DelegationApi, DelegationQuery, OwnRecords } from './delegation-api.ts';
import { delegationLookups, type LookupParts } from './delegation-lookups.ts';
import {
  notAllowed,
  type PrincipalRights,
  rightOfEveryone,
  rightsOfPrincipal,
  viewingRights,
} from './delegation-rights.ts';

/** The parts of the delegation port: records, wherever they are stored, and the rights to them. */
interface DelegationParts extends LookupParts {
  readonly now: () => Instant;
}

/**
 * The delegation port: the rights of the principal, then the records. A principal without the right to a delegation does
 * not learn whether there is one.
 */
export function createDelegations(parts: DelegationParts): DelegationApi {
  const { records, users, now } = parts;
  const rightsOf = (principal: Principal) => viewingRights(principal, parts);

  async function visible(id: number, { seesAll, isPartyTo }: PrincipalRights): Promise<Delegation> {
    if (seesAll) return records.delegation(id);
    const found = await orNull(records.delegation(id));
    if (found === null || !isPartyTo(found)) throw notAllowed('viewOne');
    return found;
  }

  /** The user id of a principal who may change the delegation. */
  async function editorOf(id: number, principal: Principal): Promise<string> {
    const { account, seesAll, editsAll } = await rightsOf(principal);
    const found = seesAll ? await records.delegation(id) : await orNull(records.delegation(id));
    if (!editsAll && found?.delegator !== account) throw notAllowed('editOthers');
    return account;
  }

  async function editableCategories(principal: Principal): Promise<OwnRecords> {
    if (!(await rightsOf(principal)).editsAll) throw notAllowed('editCategories');
    if (records.own === null) throw notAllowed('elsewhere');
    return records.own;
  }

  return {
    rightOf: async (principal) => (await rightsOfPrincipal(principal, parts)).right,
    rightOfEveryone: async () => rightOfEveryone(await parts.permissions()),
    ...delegationLookups(parts),
    delegation: async (principal, id) => visible(id, await rightsOf(principal)),
    async delegations(principal, query) {
      const { seesAll, isPartyTo } = await rightsOf(principal);
      const all = await records.delegations();
      const seen = seesAll ? all : all.filter(isPartyTo);
      return queryDelegations(seen, query, { now: now(), known: seesAll ? await users() : null });
    },
    async create(principal, input) {
      const { account, editsAll, isSelf } = await rightsOf(principal);
      if (!editsAll && !isSelf(input.delegator)) throw notAllowed('editOthers');
      return records.add(input, account);
    },
    async update(principal, id, input) {
      return records.change(id, () => input, await editorOf(id, principal));
    },
    async end(principal, id) {
      const by = await editorOf(id, principal);
      return records.change(id, (current) => endedNow(current, id, now()), by);
    },
    async versions(principal, id) {
      const rights = await rightsOf(principal);
      const { delegator } = await visible(id, rights);
      if (records.own === null) throw notAllowed('elsewhere');
      const all = await records.own.versions(id);
      return rights.seesAll || delegator === rights.account ? all : all.filter(rights.isPartyTo);
    },
    async categories(principal) {
      await rightsOf(principal);
      return records.categories();
    },
    async permitCategories(principal) {
      await editableCategories(principal);
    },
    createCategory: async (principal, input) => (await editableCategories(principal)).addCategory(input),
    updateCategory: async (principal, id, input) =>
      (await editableCategories(principal)).changeCategory(id, input),
    deleteCategory: async (principal, id) => (await editableCategories(principal)).removeCategory(id),
  };
}

function orNull(found: Promise<Delegation>): Promise<Delegation | null> {
  return found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  });
}

/** `known`: everyone the principal may know of; null: only those in the delegations. */
interface QueryContext {
  readonly now: Instant;
  readonly known: ReadonlyMap<string, User> | null;
}

/** The part of the delegations (in their order) that a query asks for, and how many match. */
function queryDelegations(
  delegations: readonly Delegation[],
  query: DelegationQuery,
  { now, known }: QueryContext,
): { readonly values: readonly Delegation[]; readonly total: number } {
  const named = delegations.flatMap(({ delegator, delegates }) => [delegator, ...delegates]);
  const people = new Set([...(known?.keys() ?? []), ...named]);
  const idOf = (name: string | null): string | null => {
    const id = name === null ? null : storedId(people, name);
    // A person the principal may not know of has nothing to be seen, as anyone else who is not in the list.
    if (name !== null && id === null && known !== null) throw unknownUser(name);
    return id ?? name;
  };
  const [delegator, delegate] = [idOf(query.delegator), idOf(query.delegate)];
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
 * The delegation with its end at the start of the running minute: from now on no one covers. One that did not start
 * before that would have no length, and becomes inactive.
 */
function endedNow(current: DelegationInput, id: number, now: Instant): DelegationInput {
  if (!current.active || current.end <= now) {
    const state = current.active ? `over since ${isoMinute(current.end)}` : 'inactive';
    const sentence = `delegation '${id}' is ${state}. Try: one that is active and not over yet.`;
    throw badRequestAs('already-over', sentence, { id });
  }
  const end = Math.floor(now / millisecondsInMinute) * millisecondsInMinute;
  return end > current.start ? { ...current, end } : { ...current, active: false };
}
