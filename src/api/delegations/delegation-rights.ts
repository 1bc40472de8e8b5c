import {
  type Delegation,
  type DelegationPermissions,
  type DelegationRight,
  delegationRights,
  EVERYONE,
} from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { knownLogins, storedId } from '../people/logins.ts';
import type { DelegationParts } from './create-delegations.ts';

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

/** The first three in the words of the compatible product. */
const sentences = {
  view: 'You do not have permission to view delegations.',
  askOthers: 'You do not have permission to query delegations of other users.',
  viewOne: 'You do not have permission to view this delegation.',
  editOthers: 'You do not have permission to edit delegations of other users.',
  editCategories: 'You do not have permission to edit delegation categories.',
  elsewhere: 'The tracker keeps the categories and versions of delegations; change and read them there.',
} as const;

/** The principal has no right to it, and learns nothing else: not even whether it exists. */
export function notAllowed(why: keyof typeof sentences): AppError {
  return new AppError('not-allowed', sentences[why]);
}

/** Whether a right is at least as much as another. */
export function permits(right: DelegationRight, wanted: DelegationRight): boolean {
  return delegationRights.indexOf(right) >= delegationRights.indexOf(wanted);
}

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
