/**
 * What the tracker itself says somebody may browse: it stands in place of every rule. What it does not name is closed,
 * so an issue that came after it was found out may be, too.
 */
export interface Sight {
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
