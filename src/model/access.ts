import { contentOf } from './content-of.ts';
import type { AccessRule, AskersDirectory } from './directory.ts';
import type { Issue } from './issue.ts';
import type { Asker } from './request.ts';

/** What decides who may see what: the rules, or the sight of the very asker who is asked about. */
export interface Rights extends Pick<AskersDirectory, 'access' | 'groups' | 'sight'> {}

/** Whether an asker may see an issue, decided once per question. */
export type MaySee = (issue: Issue) => boolean;

/** Whether the project with a key, in whatever case, is closed to somebody. */
export type IsClosed = (projectKey: string) => boolean;

/**
 * What an asker may see. Admins see everything. Where the tracker decides, an issue is open if the sight names it, or,
 * as long as it is not restricted, its project. Where rules decide, a project without one is open to everyone
 * who may ask, one with a rule to its viewers only; an issue with a security level is open to that level's viewers, its
 * reporter and its assignee: a level nobody has told us about is closed to everybody else, and so are roles, of which
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
    const people = [idOf(contentOf(issue, 'reporter')), issue.assignee?.id ?? null];
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

/** How far somebody sees: enough to tell later whether something has been closed since. Project keys are upper case. */
export type Scope = ScopeByRules | ScopeBySight;

/** What the rules close and open to somebody. */
export interface ScopeByRules {
  readonly closedProjects: readonly string[];
  readonly openLevels: readonly string[];
  /** An admin's. */
  readonly everything: boolean;
}

/** What the tracker itself opens to somebody; whatever is not named is closed. */
export interface ScopeBySight {
  readonly openProjects: readonly string[];
  /** Keys (upper case) of restricted issues, or of a project that is open issue by issue. */
  readonly openIssues: readonly string[];
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
 * Whether who sees so far now may still see everything that could be seen then. Nobody can tell where the tracker has
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

/** The key of the project an issue is in: what stands before the number. */
export function projectKeyOf({ key }: Pick<Issue, 'key'>): string {
  return key.slice(0, key.lastIndexOf('-'));
}

/** The field of the roles that an issue of a team-managed project is restricted to. */
export const RESTRICTION = 'issuerestriction';

/**
 * What closes an issue to people who may see its project: its security level, or the roles it is restricted to; null:
 * nothing does. The same text for the same restriction.
 */
export function restrictionOf(issue: Pick<Issue, 'fields'>): string | null {
  const [level, roles] = [levelOf(issue), rolesOf(issue)];
  return level === null || roles === null ? (level ?? roles) : `${level}, ${roles}`;
}

/**
 * Ids of the roles an issue is restricted to; null where it is to none. Dwell 0.6.0 kept nothing but that there was a
 * field, so null in it is a restriction that nobody knows.
 */
export function rolesOf(issue: Pick<Issue, 'fields'>): string | null {
  const content = contentOf(issue, RESTRICTION);
  if (content === undefined) return null;
  if (content === null) return 'unknown';
  if (typeof content !== 'object') return content === '' ? null : String(content);
  const ids = ('length' in content ? content : [content]).map(({ id }) => id);
  return ids.length === 0 ? null : ids.join(', ');
}

function levelOf(issue: Pick<Issue, 'fields'>): string | null {
  return idOf(contentOf(issue, 'security'));
}

function idOf(content: Issue['fields'][string] | undefined): string | null {
  if (content === null || content === undefined) return null;
  if (typeof content === 'object') return 'id' in content ? content.id : (content[0]?.id ?? null);
  return content === '' ? null : String(content);
}
