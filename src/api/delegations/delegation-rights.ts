import {
  type Delegation,
  type DelegationPermissions,
  type DelegationRight,
  EVERYONE,
} from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import { AppError, type ErrorReason } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Principal } from '../../model/request.ts';
import { knownLogins, storedId } from '../people/logins.ts';

/** The sources of rights; read again for every request. */
export interface RightsParts {
  readonly permissions: () => Promise<DelegationPermissions>;
  readonly groups: () => Promise<readonly Group[]>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
}

/** A principal as the tracker knows them, and their rights. */
export interface PrincipalRights {
  /** The user id, also where the token is for the login. */
  readonly account: string;
  readonly right: DelegationRight;
  readonly seesAll: boolean;
  readonly editsAll: boolean;
  /** True if a name, in any case, is that of the principal. */
  isSelf(name: string): boolean;
  /** True if the principal is one of the two sides. */
  isPartyTo(delegation: Delegation): boolean;
}

/**
 * The rights of a principal. Admins are permitted everything, whatever the lists say. People are listed by id or by exactly
 * their login; an entry that is also the name of a group, or `everyone`, means that.
 */
export async function rightsOfPrincipal(principal: Principal, parts: RightsParts): Promise<PrincipalRights> {
  const [users, groups, lists] = [await parts.users(), await parts.groups(), await parts.permissions()];
  const { idOfHolder } = knownLogins(users);
  const account = idOfHolder(principal.account);
  const right = principal.rights === 'admin' ? 'edit' : rightOfPerson();
  return {
    account,
    right,
    seesAll: right === 'all' || right === 'edit',
    editsAll: right === 'edit',
    isSelf: (name) => name === account || storedId(users, name) === account,
    isPartyTo: ({ delegator, delegates }) => delegator === account || delegates.includes(account),
  };

  function rightOfPerson(): DelegationRight {
    const own = new Set([account, `user:${account}`]);
    for (const { id, members } of groups) if (members.includes(account)) own.add(id).add(`group:${id}`);
    if (users.has(account)) own.add(EVERYONE);
    const collective = new Set([EVERYONE, ...groups.map(({ id }) => id)]);
    const byId = (entry: string) => {
      const [, kind = '', named = entry] = /^(user:|group:)?(.*)$/s.exec(entry) ?? [];
      const isCollective = kind === 'group:' || (kind === '' && collective.has(entry));
      return isCollective ? entry : `${kind}${idOfHolder(named)}`;
    };
    return rightByLists(lists, (list) => list.some((entry) => own.has(byId(entry))));
  }
}

/** The right of those who are in some lists. */
function rightByLists(
  { view, viewAll, editAll }: DelegationPermissions,
  isIn: (list: readonly string[]) => boolean,
): DelegationRight {
  if (isIn(editAll)) return 'edit';
  if (isIn(viewAll)) return 'all';
  return isIn(view) ? 'own' : 'none';
}

/** The right that lists give to everyone whom the tracker knows. */
export function rightOfEveryone(permissions: DelegationPermissions): DelegationRight {
  return rightByLists(permissions, (list) => list.includes(EVERYONE));
}

/** The rights of a principal who can view at least something; `not-allowed` for others. */
export async function viewingRights(principal: Principal, parts: RightsParts): Promise<PrincipalRights> {
  const rights = await rightsOfPrincipal(principal, parts);
  if (rights.right === 'none') throw notAllowed('view');
  return rights;
}

/** Sentences for missing rights; the first three in the words of the compatible product. */
const refusals = {
  view: ['missing-right', 'You do not have permission to view delegations.'],
  askOthers: ['missing-right', 'You do not have permission to query delegations of other users.'],
  viewOne: ['missing-right', 'You do not have permission to view this delegation.'],
  editOthers: ['missing-right', 'You do not have permission to edit delegations of other users.'],
  editCategories: ['missing-right', 'You do not have permission to edit delegation categories.'],
  elsewhere: [
    'managed-by-tracker',
    'Categories and versions of delegations are in the tracker; read and change them there.',
  ],
} as const satisfies Record<string, readonly [ErrorReason, string]>;

/** The error for a missing right, which does not show whether the object exists. */
export function notAllowed(deed: keyof typeof refusals): AppError {
  const [reason, sentence] = refusals[deed];
  return new AppError(reason, sentence);
}
