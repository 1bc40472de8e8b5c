import { fieldIdOf, levelOf, projectKeyOf, restrictionOf, rolesOf } from '../issues/issue-fields.ts';
import type { AccessRule, AskersDirectory } from '../model/directory.ts';
import type { Issue } from '../model/issue.ts';
import type { Scope } from '../model/permissions.ts';
import type { Asker } from '../model/request.ts';

/** What decides who may see what: the rules, or the sight of the very asker who is asked about. */
export interface Rights extends Pick<AskersDirectory, 'access' | 'groups' | 'sight'> {}

/** Whether an asker may see an issue, decided once per question. */
type MaySee = (issue: Issue) => boolean;

/** Whether the project with a key, in whatever case, is closed to somebody. */
export type IsClosed = (projectKey: string) => boolean;

/**
 * What an asker may see. Admins see everything. Where the tracker decides, an issue is open if the sight names it, or,
 * as long as it is not restricted, its project. Where rules decide, a project without one is open to everyone
 * who may ask, one with a rule to its viewers only; an issue with a security level is open to that level's viewers, its
 * reporter and its assignee: a level without a rule is closed to everybody else, and so are roles, of which
 * imports never say who has them.
 */
export function rightsOf(asker: Asker, rights: Rights): MaySee {
  const isClosed = closedProjects(asker, rights);
  if (asker.admin) return () => true;
  const { sight } = rights;
  const levels = sight === null ? openness('level', asker, rights) : new Map<string, boolean>();
  return (issue) => {
    if (sight?.issues.has(issue.key.toUpperCase())) return true;
    if (isClosed?.(projectKeyOf(issue))) return false;
    if (restrictionOf(issue) === null) return true;
    if (sight !== null) return false;
    const level = rolesOf(issue) === null ? levelOf(issue) : null;
    const people = [fieldIdOf(issue, 'reporter'), issue.assignee?.id ?? null];
    return (level !== null && levels.get(level.toUpperCase()) === true) || people.includes(asker.user);
  };
}

/**
 * Which projects an asker may not see as a whole, whether or not they have issues; null: there is none. One that the
 * tracker opens issue by issue is among them.
 */
export function closedProjects(asker: Asker, rights: Rights): IsClosed | null {
  return closedTo(scopeOf(asker, rights));
}

/** How far an asker sees. */
export function scopeOf(asker: Asker, { access, groups, sight }: Rights): Scope {
  if (asker.admin) return { closedProjects: [], openLevels: [], everything: true };
  if (sight !== null) return { openProjects: [...sight.projects], openIssues: [...sight.issues] };
  const rules = { access, groups };
  return {
    closedProjects: [...openness('project', asker, rules)].flatMap(([key, open]) => (open ? [] : [key])),
    openLevels: [...openness('level', asker, rules)].flatMap(([level, open]) => (open ? [level] : [])),
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
  { user }: Asker,
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
