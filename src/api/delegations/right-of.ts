import { type DelegationPermissions, type DelegationRight, EVERYONE } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import type { User } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';

/** What rights are decided by. */
interface RightContext {
  readonly permissions: DelegationPermissions;
  readonly groups: readonly Group[];
  readonly users: ReadonlyMap<string, User>;
}

/** The most that an asker is permitted. Admins are permitted everything, whatever the lists say. */
export function rightOf(asker: Asker, { permissions, groups, users }: RightContext): DelegationRight {
  if (asker.admin) return 'edit';
  const own = new Set([asker.user, `user:${asker.user}`]);
  for (const { id, members } of groups) {
    if (members.includes(asker.user)) own.add(id).add(`group:${id}`);
  }
  if (users.has(asker.user)) own.add(EVERYONE);
  const isIn = (list: readonly string[]) => list.some((one) => own.has(one));
  if (isIn(permissions.editAll)) return 'edit';
  if (isIn(permissions.viewAll)) return 'all';
  return isIn(permissions.view) ? 'own' : 'none';
}
