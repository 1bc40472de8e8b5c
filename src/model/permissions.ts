/** How far somebody sees: enough to know later whether something has been closed since. Project keys are upper case. */
export type BrowseScope = ScopeByRules | ScopeByPermissions;

/** What the rules close and open to somebody. */
export interface ScopeByRules {
  readonly closedProjects: readonly string[];
  readonly openLevels: readonly string[];
  /** An admin's. */
  readonly everything: boolean;
}

/** What the tracker itself opens to somebody; whatever is not named is closed. */
interface ScopeByPermissions {
  readonly openProjects: readonly string[];
  /** Keys (upper case) of restricted issues, or of a project that is open issue by issue. */
  readonly openIssues: readonly string[];
}

/**
 * What the tracker itself says somebody may browse: it stands in place of every rule. What it does not name is closed,
 * so an issue that came after it was found out may be, too.
 */
export interface BrowsePermissions {
  /** Keys of the projects, upper case, of which every issue that is not restricted is open. */
  readonly projects: ReadonlySet<string>;
  /** Keys of the other projects that there are issues of, upper case. */
  readonly closedProjects: ReadonlySet<string>;
  /**
   * Keys (upper case) of single issues that are open as well, in whatever project: restricted ones, and
   * those of projects that the tracker opens issue by issue.
   */
  readonly issues: ReadonlySet<string>;
  /** How many issues are closed only because the tracker could not be asked about them. */
  readonly unasked: number;
}

/** What issues an answer is about: enough to decide who else may read it. */
export interface AudienceScope {
  /** Keys of their projects, and of those of whose issues it names keys, upper case, in order, each once. */
  readonly projects: readonly string[];
  /** How many issues there are. */
  readonly issues: number;
  /**
   * How many of them have a security level or are restricted to roles, and so are not for everybody who may see their
   * project. Null: unknown.
   */
  readonly withLevel: number | null;
  /** How many of these are restricted to roles; absent: none. */
  readonly withRoles?: number;
}

/** Whether the project with a key, in whatever case, is closed to somebody. */
export type IsClosed = (projectKey: string) => boolean;

/** Which projects are closed to somebody with this scope; null: there is none. */
export function closedTo(scope: BrowseScope): IsClosed | null {
  if ('openProjects' in scope) {
    const open = new Set(scope.openProjects);
    return (key) => !open.has(key.toUpperCase());
  }
  if (scope.everything || scope.closedProjects.length === 0) return null;
  const closed = new Set(scope.closedProjects);
  return (key) => closed.has(key.toUpperCase());
}

/**
 * Whether everything that could be seen then can be seen now. It is unknown where the tracker has taken the place of
 * the rules since, or they its place: no.
 */
export function stillCovers(then: BrowseScope, now: BrowseScope): boolean {
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

/** The tenant to which everything belongs where there is only one; nothing but what composes Dwell names it. */
export const defaultTenant = 'default';

/** What someone can do: an `admin` sees and changes everything of their tenant; a `stranger` is no user of its tracker. */
export type Rights = 'admin' | 'user' | 'stranger';

/**
 * Who asks, and so what they can see and do; part of every request. `account` is a user id of the tracker, or, for a
 * stranger and where chat accounts own things (digests, watches), an account of the chat.
 */
export interface Principal {
  readonly tenant: string;
  readonly account: string;
  readonly rights: Rights;
}

/** A principal of a tenant; whoever has no rights in particular is a user. */
export function principalIn(tenant: string, account: string, rights: Rights = 'user'): Principal {
  return { tenant, account, rights };
}
