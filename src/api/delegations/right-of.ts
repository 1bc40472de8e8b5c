import { type DelegationPermissions, type DelegationRight, EVERYONE } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import type { User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';

/** What rights are decided by. */
interface RightContext {
  readonly permissions: DelegationPermissions;
  readonly groups: readonly Group[];
  readonly users: ReadonlyMap<string, User>;
}

/** The most that a principal is permitted. Admins are permitted everything, whatever the lists say. */
export function rightOf(principal: Principal, { permissions, groups, users }: RightContext): DelegationRight {
  if (principal.rights === 'admin') return 'edit';
  const own = new Set([principal.account, `user:${principal.account}`]);
  for (const { id, members } of groups) {
    if (members.includes(principal.account)) own.add(id).add(`group:${id}`);
  }
  if (users.has(principal.account)) own.add(EVERYONE);
  const isIn = (list: readonly string[]) => list.some((one) => own.has(one));
  if (isIn(permissions.editAll)) return 'edit';
  if (isIn(permissions.viewAll)) return 'all';
  return isIn(permissions.view) ? 'own' : 'none';
}
