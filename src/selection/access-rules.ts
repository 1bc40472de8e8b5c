import { createHash } from 'node:crypto';
import type { AccessClass } from '../columns/access-classes.ts';
import { IRREGULAR } from '../columns/column-arrays.ts';
import type { IssueColumns } from '../columns/issue-columns.ts';
import type { ValueCodes } from '../columns/value-codes.ts';
import { sees, type Visibility } from '../columns/visibility.ts';
import { contentIdOf, fieldIdOf, levelOf, projectKeyOf, rolesOf } from '../issues/issue-fields.ts';
import type { AccessRule, PrincipalsDirectory } from '../model/directory.ts';
import type { Issue } from '../model/issue.ts';
import { type BrowseScope, closedTo, type IsClosed, type Principal } from '../model/request.ts';

/** What decides what a principal can see: the rules, or where the tracker decides, what it lets this principal browse. */
export interface Rights extends Pick<PrincipalsDirectory, 'access' | 'groups' | 'permissions'> {}

/**
 * Whether a principal can see an issue, decided once per question. Admins see everything. Where the tracker decides, an
 * issue is open if the browse permissions name it, or, as long as it is not restricted, its project. Where rules decide, a
 * project without one is open to every user of Dwell, one with a rule to its viewers only; an issue with a security level is
 * open to that level's viewers, its reporter and its assignee: a level without a rule is closed to everybody else, and so
 * are roles, because imports never say who has them.
 */
export function rightsOf(principal: Principal, rights: Rights): (issue: Issue) => boolean {
  if (principal.rights === 'admin') return () => true;
  const seenOf = classRule(principal, rights);
  const singles = rights.permissions?.issues;
  return (issue) => {
    if (singles?.has(issue.key.toUpperCase())) return true;
    const seen = seenOf({ projectKey: projectKeyOf(issue), level: levelOf(issue), roles: rolesOf(issue) });
    if (seen !== sees.own) return seen === sees.everything;
    return [fieldIdOf(issue, 'reporter'), issue.assignee?.id].includes(principal.account);
  };
}

/** The same for all issues of a table at once: what a principal can see of each access class, and which rows besides. */
export function compileVisibility(principal: Principal, rights: Rights, columns: IssueColumns): Visibility {
  const classes = Uint8Array.from(columns.classes.all, classRule(principal, rights));
  const hasOwn = classes.includes(sees.own);
  const singles = principal.rights === 'admin' ? undefined : rights.permissions?.issues;
  return {
    classes,
    singles: singles === undefined || singles.size === 0 ? nobody : rowsOfKeys(singles, columns),
    reporters: hasOwn ? codesOf(principal.account, columns.values('reporter')) : nobody,
    assignees: hasOwn ? codesOf(principal.account, columns.values('assignee')) : nobody,
    all: principal.rights === 'admin',
    key: rightsKey(principal, rights),
  };
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
  const levels = byRules ? openness('level', principal, rights) : null;
  return ({ projectKey, level, roles }) => {
    if (isClosed?.(projectKey)) return sees.nothing;
    if (level === null && roles === null) return sees.everything;
    if (!byRules) return sees.nothing;
    const isOpen = roles === null && level !== null && levels?.get(level.toUpperCase()) === true;
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
  const { project, rows: count } = columns.arrays();
  for (
    let row = project.indexOf(IRREGULAR);
    row >= 0 && row < count;
    row = project.indexOf(IRREGULAR, row + 1)
  ) {
    if (keys.has(columns.keyOf(row).toUpperCase())) rows.add(row);
  }
  return rows;
}

/** Codes of the contents that are a person. */
function codesOf(user: string, values: ValueCodes): ReadonlySet<number> {
  const codes = new Set<number>();
  for (let code = 0; code < values.size; code += 1) {
    if (contentIdOf(values.at(code)) === user) codes.add(code);
  }
  return codes;
}

/** The same text for principals who see the same. */
export function rightsKey(
  { account: user, rights }: Principal,
  { access, groups, permissions }: Rights,
): string {
  if (rights === 'admin') return 'all';
  const own = () => groups.filter((group) => group.members.includes(user)).map((group) => group.id);
  const text =
    permissions === null
      ? JSON.stringify([user, own(), access])
      : `${[...permissions.projects].join()}\n${[...permissions.issues].join()}`;
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Which projects a principal cannot see as a whole, whether or not they have issues; null: there is none. One that the
 * tracker opens issue by issue is among them.
 */
export function closedProjects(principal: Principal, rights: Rights): IsClosed | null {
  return closedTo(browseScopeOf(principal, rights));
}

/** How far a principal sees. */
export function browseScopeOf(principal: Principal, rights: Rights): BrowseScope {
  const { permissions } = rights;
  if (principal.rights === 'admin') return { closedProjects: [], openLevels: [], everything: true };
  if (permissions !== null)
    return { openProjects: [...permissions.projects], openIssues: [...permissions.issues] };
  return {
    closedProjects: [...openness('project', principal, rights)].flatMap(([key, open]) => (open ? [] : [key])),
    openLevels: [...openness('level', principal, rights)].flatMap(([level, open]) => (open ? [level] : [])),
    everything: false,
  };
}

/** What the rules say of each project, or level, that has one. */
function openness(
  kind: AccessRule['kind'],
  { account: user }: Principal,
  { access, groups }: Rights,
): Map<string, boolean> {
  const own = new Set([user, `user:${user}`]);
  for (const { id, members } of groups) {
    if (members.includes(user)) own.add(id).add(`group:${id}`);
  }
  return new Map(
    access
      .filter((rule) => rule.kind === kind)
      .map((rule) => [rule.id.toUpperCase(), rule.viewers.some((viewer) => own.has(viewer))]),
  );
}

/**
 * How far a principal sees, with what was open to them then and has not been closed: projects that have no issues here any
 * more, issues that are gone, and issues that need no permission of their own now, their level having been lifted.
 * `issue`: any issue by key.
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
