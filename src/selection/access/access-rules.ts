import type { AccessClass } from '../../engine/columns/access-classes.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import type { ValueCodes } from '../../engine/columns/value-codes.ts';
import { sees, type Visibility } from '../../engine/columns/visibility.ts';
import type { AccessRule, PrincipalsDirectory } from '../../model/directory.ts';
import type { Issue } from '../../model/issue.ts';
import { contentIdOf, fieldIdOf, levelOf, projectKeyOf, rolesOf } from '../../model/issues/issue-fields.ts';
import {
  type BrowsePermissions,
  type BrowseScope,
  closedTo,
  type IsClosed,
  type Principal,
} from '../../model/request.ts';

/** The rules by which a principal sees issues, or, where the tracker decides, what it lets this principal browse. */
export interface Rights extends Pick<PrincipalsDirectory, 'access' | 'groups' | 'permissions'> {}

/**
 * Returns true where a principal can see an issue, decided once per question. Admins see everything. Where the tracker decides, an
 * issue is open if the browse permissions name it, or, as long as it is not restricted, its project. Where rules decide, a
 * project without one is open to every user of Dwell, one with a rule to its viewers only; an issue with a security level is
 * open to that level's viewers, its reporter and its assignee: a level without a rule is closed to everybody else, and so
 * are roles, because imports never name the people who have them.
 */
export function rightsOf(principal: Principal, rights: Rights): (issue: Issue) => boolean {
  if (principal.rights === 'admin') return () => true;
  const seenOf = classRule(principal, rights);
  const singles = rights.permissions?.issues;
  return (issue) => {
    if (singles?.has(issue.key.toUpperCase())) return true;
    const seen = seenOf({ projectKey: projectKeyOf(issue), level: levelOf(issue), roles: rolesOf(issue) });
    if (seen !== sees.own) return seen === sees.everything;
    return isOwn(issue, principal.account);
  };
}

/** Returns true for the reporter and the assignee of an issue. */
export function isOwn(issue: Issue, account: string | null): boolean {
  return account !== null && [fieldIdOf(issue, 'reporter'), issue.assignee?.id].includes(account);
}

/** The visibility compiled for a principal, and what it depends on beside their rights. */
interface Compiled {
  readonly groups: Rights['groups'];
  readonly version: number;
  readonly sizes: string;
  readonly visibility: Visibility;
}

/** Compiled visibilities by columns, then by the list of rules or the permissions, then by principal. */
const compiled = new WeakMap<IssueColumns, WeakMap<object, Map<string, Compiled>>>();

/** Principals whose rights are compiled at the same time. */
const MAX_COMPILED = 10_000;

/**
 * The same for all issues of a table at once: what a principal can see of each access class, and which rows besides. Found
 * once for the same rights, as long as the columns have no new classes and no new people.
 */
export function compileVisibility(principal: Principal, rights: Rights, columns: IssueColumns): Visibility {
  const { groups, permissions, access } = rights;
  const isAdmin = principal.rights === 'admin';
  const byRights = entryOf(compiled, columns, () => new WeakMap<object, Map<string, Compiled>>());
  const byPrincipal = entryOf(byRights, permissions ?? access, () => new Map<string, Compiled>());
  // If the tracker decides, only its permissions count.
  const who = isAdmin ? 'admin' : permissions === null ? `user ${principal.account}` : 'permissions';
  const people = (['reporter', 'assignee'] as const).map((field) => columns.values(field).size);
  const sizes = [columns.classes.all.length, ...people].join();
  const { version } = columns;
  const known = byPrincipal.get(who);
  const hasKeys = !isAdmin && permissions !== null && permissions.issues.size > 0;
  if (known?.groups === groups && known.sizes === sizes && (!hasKeys || known.version === version)) {
    return known.visibility;
  }
  const visibility = visibilityOf(principal, rights, columns);
  putLast(byPrincipal, who, { groups, version, sizes, visibility }, MAX_COMPILED);
  return visibility;
}

/** Puts an entry after all others, and drops the first one where there are more than `max`. */
export function putLast<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) for (const first of map.keys().take(1)) map.delete(first);
}

function visibilityOf(principal: Principal, rights: Rights, columns: IssueColumns): Visibility {
  const isAdmin = principal.rights === 'admin';
  const classes = Uint8Array.from(columns.classes.all, classRule(principal, rights));
  const account = classes.includes(sees.own) ? principal.account : null;
  const issues = isAdmin ? undefined : rights.permissions?.issues;
  const singles = issues === undefined || issues.size === 0 ? nobody : rowsOfKeys(issues, columns);
  const own = account === null ? [] : [account];
  return {
    classes,
    singles,
    all: isAdmin,
    reporters: codesOf(account, columns.values('reporter')),
    assignees: codesOf(account, columns.values('assignee')),
    account,
    key: isAdmin ? 'all' : JSON.stringify([classes.join(''), own, [...singles].sort((a, b) => a - b)]),
  };
}

function entryOf<Key extends WeakKey, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const nobody: ReadonlySet<number> = new Set();

/** Which of `sees` holds for the issues of a project with a restriction. */
function classRule(
  principal: Principal,
  rights: Rights,
): (of: Pick<AccessClass, 'projectKey' | 'level' | 'roles'>) => number {
  if (principal.rights === 'admin') return () => sees.everything;
  const isClosed = closedProjects(principal, rights);
  const byRules = rights.permissions === null;
  const openLevels = byRules ? rulesFor(principal, rights).openLevels : null;
  return ({ projectKey, level, roles }) => {
    if (isClosed?.(projectKey)) return sees.nothing;
    if (level === null && roles === null) return sees.everything;
    if (!byRules) return sees.nothing;
    const isOpen = roles === null && level !== null && openLevels?.has(level.toUpperCase()) === true;
    return isOpen ? sees.everything : sees.own;
  };
}

/** The rows of issues by their keys in upper case, however the issues spell them. */
function rowsOfKeys(keys: ReadonlySet<string>, columns: IssueColumns): ReadonlySet<number> {
  const rows = new Set<number>();
  const spellings = Map.groupBy(columns.projectKeys, (key) => key.toUpperCase());
  for (const key of keys) {
    const project = projectKeyOf({ key });
    for (const spelled of spellings.get(project) ?? []) {
      const row = columns.rowOf(`${spelled}${key.slice(project.length)}`);
      if (row >= 0) rows.add(row);
    }
  }
  for (const [key, row] of columns.irregularKeys) if (keys.has(key.toUpperCase())) rows.add(row);
  return rows;
}

/** Codes of the contents that are a person. */
function codesOf(user: string | null, values: ValueCodes): ReadonlySet<number> {
  if (user === null) return nobody;
  const codes = new Set<number>();
  for (let code = 0; code < values.size; code += 1) {
    if (contentIdOf(values.at(code)) === user) codes.add(code);
  }
  return codes;
}

/**
 * Which projects a principal cannot see as a whole, whether or not they have issues; null: there is none. One that the
 * tracker opens issue by issue is among them.
 */
export function closedProjects(principal: Principal, rights: Rights): IsClosed | null {
  const { permissions } = rights;
  if (principal.rights === 'admin') return null;
  if (permissions !== null)
    return entryOf(closedByTracker, permissions, () => closedTo(browseScopeOf(principal, rights)));
  return rulesFor(principal, rights).isClosed;
}

const closedByTracker = new WeakMap<BrowsePermissions, IsClosed | null>();

/** The scope of the projects and issues that a principal can see. */
export function browseScopeOf(principal: Principal, rights: Rights): BrowseScope {
  const { permissions } = rights;
  if (principal.rights === 'admin') return { closedProjects: [], openLevels: [], everything: true };
  if (permissions === null) return rulesFor(principal, rights).scope;
  return { openProjects: [...permissions.projects], openIssues: [...permissions.issues] };
}

/** The rules of projects and levels for a principal. */
interface PrincipalRules {
  readonly groups: Rights['groups'];
  readonly openLevels: ReadonlySet<string>;
  readonly scope: BrowseScope;
  readonly isClosed: IsClosed | null;
}

/** Rules for principals, by the list of rules, then by account. */
const ruled = new WeakMap<Rights['access'], Map<string, PrincipalRules>>();

function rulesFor({ account }: Principal, { access, groups }: Rights): PrincipalRules {
  const byAccount = entryOf(ruled, access, () => new Map<string, PrincipalRules>());
  const known = byAccount.get(account);
  if (known?.groups === groups) return known;
  const own = new Set([account, `user:${account}`]);
  for (const { id, members } of groups) {
    if (members.includes(account)) own.add(id).add(`group:${id}`);
  }
  const idsThat = (kind: AccessRule['kind'], areOpen: boolean) => {
    const rules = access.filter((rule) => rule.kind === kind);
    const isOpen = new Map(
      rules.map(({ id, viewers }) => [id.toUpperCase(), viewers.some((viewer) => own.has(viewer))]),
    );
    return [...isOpen].flatMap(([id, open]) => (open === areOpen ? [id] : []));
  };
  const openLevels = idsThat('level', true);
  const scope = { closedProjects: idsThat('project', false), openLevels, everything: false };
  const rules = { groups, openLevels: new Set(openLevels), scope, isClosed: closedTo(scope) };
  putLast(byAccount, account, rules, MAX_COMPILED);
  return rules;
}

/**
 * The scope of what a principal can see, with what was open to them then and has not been closed: projects that have no
 * issues here any more, issues that are gone, and issues that need no permission of their own now, their level having
 * been lifted. `issue`: any issue by key.
 */
export async function browseScopeSince(
  then: BrowseScope,
  principal: Principal,
  rights: Rights,
  issue: (key: string) => Promise<Issue | null>,
): Promise<BrowseScope> {
  const now = browseScopeOf(principal, rights);
  const { permissions } = rights;
  if (!('openProjects' in now && 'openProjects' in then) || permissions === null) return now;
  const maySee = rightsOf(principal, rights);
  const openIssues = new Set(now.openIssues);
  for (const key of then.openIssues) {
    if (openIssues.has(key)) continue;
    const here = await issue(key);
    if (here === null || maySee(here)) openIssues.add(key);
  }
  const gone = then.openProjects.filter((key) => !permissions.closedProjects.has(key));
  return { openProjects: [...new Set([...now.openProjects, ...gone])], openIssues: [...openIssues] };
}
