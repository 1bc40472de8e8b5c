import { foldedName } from '../../issues/ids-and-names.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { DelegationQuery } from '../delegation.ts';
import { storedId } from './stored-id.ts';
import { unknownUser } from './unknown.ts';

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
