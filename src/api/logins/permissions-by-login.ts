import { type DelegationPermissions, EVERYONE } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import type { User } from '../../model/issue.ts';
import { knownLogins } from './known-logins.ts';

/** The same permissions by user ids, where somebody was written down by exactly their login. */
export function permissionsByLogin(
  { view, viewAll, editAll }: DelegationPermissions,
  { groups, users }: { readonly groups: readonly Group[]; readonly users: ReadonlyMap<string, User> },
): DelegationPermissions {
  const { idOfHolder } = knownLogins(users);
  const others = new Set([EVERYONE, ...groups.map(({ id }) => id)]);
  const byId = (one: string) => {
    const [, kind = '', named = one] = /^(user:|group:)?(.*)$/s.exec(one) ?? [];
    if (kind === 'group:' || (kind === '' && others.has(one))) return one;
    return `${kind}${idOfHolder(named)}`;
  };
  return { view: view.map(byId), viewAll: viewAll.map(byId), editAll: editAll.map(byId) };
}
