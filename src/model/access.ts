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
