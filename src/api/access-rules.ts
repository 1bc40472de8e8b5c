import { createHash } from 'node:crypto';
import { IRREGULAR } from '../columns/column-arrays.ts';
import type { IssueColumns } from '../columns/issue-columns.ts';
import type { ValueCodes } from '../columns/value-codes.ts';
import { sees, type Visibility } from '../columns/visibility.ts';
import {
  contentIdOf,
  fieldIdOf,
  levelOf,
  projectKeyOf,
  restrictionOf,
  rolesOf,
} from '../issues/issue-fields.ts';
import type { AccessRule, PrincipalsDirectory } from '../model/directory.ts';
import type { Issue } from '../model/issue.ts';
import type { Scope } from '../model/permissions.ts';
import type { Principal } from '../model/principal.ts';

/** What decides who may see what: the rules, or the sight of the very principal who is asked about. */
export interface Rights extends Pick<PrincipalsDirectory, 'access' | 'groups' | 'sight'> {}

/** Whether a principal may see an issue, decided once per question. */
type MaySee = (issue: Issue) => boolean;

/** Whether the project with a key, in whatever case, is closed to somebody. */
export type IsClosed = (projectKey: string) => boolean;

/**
 * What a principal may see. Admins see everything. Where the tracker decides, an issue is open if the sight names it, or,
 * as long as it is not restricted, its project. Where rules decide, a project without one is open to everyone
 * who may ask, one with a rule to its viewers only; an issue with a security level is open to that level's viewers, its
 * reporter and its assignee: a level without a rule is closed to everybody else, and so are roles, of which
 * imports never say who has them.
 */
export function rightsOf(principal: Principal, rights: Rights): MaySee {
  const isClosed = closedProjects(principal, rights);
  if (principal.rights === 'admin') return () => true;
  const { sight } = rights;
  const levels = sight === null ? openness('level', principal, rights) : new Map<string, boolean>();
  return (issue) => {
    if (sight?.issues.has(issue.key.toUpperCase())) return true;
    if (isClosed?.(projectKeyOf(issue))) return false;
    if (restrictionOf(issue) === null) return true;
    if (sight !== null) return false;
    const level = rolesOf(issue) === null ? levelOf(issue) : null;
    const people = [fieldIdOf(issue, 'reporter'), issue.assignee?.id ?? null];
    return (level !== null && levels.get(level.toUpperCase()) === true) || people.includes(principal.account);
  };
}

/** The same for all issues of a table at once: what a principal may see of each access class, and which rows besides. */
export function compileVisibility(principal: Principal, rights: Rights, columns: IssueColumns): Visibility {
  const { all } = columns.classes;
  const nobody: ReadonlySet<number> = new Set();
  const key = keyOfRights(principal, rights);
  if (principal.rights === 'admin') {
    const classes = new Uint8Array(all.length).fill(sees.everything);
    return { classes, singles: nobody, reporters: nobody, assignees: nobody, all: true, key };
  }
  const { sight } = rights;
  const isClosed = closedProjects(principal, rights);
  const levels = sight === null ? openness('level', principal, rights) : new Map<string, boolean>();
  const classes = Uint8Array.from(all, ({ projectKey, restriction, level, roles }) => {
    if (isClosed?.(projectKey)) return sees.nothing;
    if (restriction === null) return sees.everything;
    if (sight !== null) return sees.nothing;
    const isOpen = roles === null && level !== null && levels.get(level.toUpperCase()) === true;
    return isOpen ? sees.everything : sees.own;
  });
  const hasOwn = classes.includes(sees.own);
  return {
    classes,
    singles: sight === null || sight.issues.size === 0 ? nobody : rowsOfKeys(sight.issues, columns),
    reporters: hasOwn ? codesOf(principal.account, columns.values('reporter')) : nobody,
    assignees: hasOwn ? codesOf(principal.account, columns.values('assignee')) : nobody,
    ...{ all: false, key },
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

/** The same text for who sees the same. */
export function keyOfRights({ account: user, rights }: Principal, { access, groups, sight }: Rights): string {
  if (rights === 'admin') return 'all';
  const own = () => groups.filter((group) => group.members.includes(user)).map((group) => group.id);
  const text =
    sight === null
      ? JSON.stringify([user, own(), access])
      : `${[...sight.projects].join()}\n${[...sight.issues].join()}`;
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Which projects a principal may not see as a whole, whether or not they have issues; null: there is none. One that the
 * tracker opens issue by issue is among them.
 */
export function closedProjects(principal: Principal, rights: Rights): IsClosed | null {
  return closedTo(scopeOf(principal, rights));
}

/** How far a principal sees. */
export function scopeOf(principal: Principal, { access, groups, sight }: Rights): Scope {
  if (principal.rights === 'admin') return { closedProjects: [], openLevels: [], everything: true };
  if (sight !== null) return { openProjects: [...sight.projects], openIssues: [...sight.issues] };
  const rules = { access, groups };
  return {
    closedProjects: [...openness('project', principal, rules)].flatMap(([key, open]) => (open ? [] : [key])),
    openLevels: [...openness('level', principal, rules)].flatMap(([level, open]) => (open ? [level] : [])),
    everything: false,
  };
}

/** Which projects are closed to who sees so far; null: there is none. */
export function closedTo(scope: Scope): IsClosed | null {
  if ('openProjects' in scope) {
    const open = new Set(scope.openProjects);
    return (key) => !open.has(key.toUpperCase());
  }
  if (scope.everything || scope.closedProjects.length === 0) return null;
  const closed = new Set(scope.closedProjects);
  return (key) => closed.has(key.toUpperCase());
}

/**
 * Whether who sees so far now may still see everything that could be seen then. It is unknown where the tracker has
 * taken the place of the rules since, or they its place: no.
 */
export function stillCovers(then: Scope, now: Scope): boolean {
  if ('openProjects' in now) {
    return (
      'openProjects' in then &&
      isWithin(then.openProjects, now.openProjects) &&
      isWithin(then.openIssues, now.openIssues)
    );
  }
  if (now.everything) return true;
  return (
    !('openProjects' in then) &&
    !then.everything &&
    isWithin(now.closedProjects, then.closedProjects) &&
    isWithin(then.openLevels, now.openLevels)
  );
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return some.every((one) => known.has(one));
}

function openness(
  kind: AccessRule['kind'],
  { account: user }: Principal,
  { access, groups }: Pick<Rights, 'access' | 'groups'>,
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
