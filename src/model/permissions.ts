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
