/**
 * What the tracker itself says somebody may browse: it stands in place of every rule. What it does not name is closed,
 * so an issue that came after it was found out is, too.
 */
export interface Sight {
  /** Keys of the projects, upper case. */
  readonly projects: ReadonlySet<string>;
  /** Keys (upper case) of the issues with a security level, in whatever project. */
  readonly levelled: ReadonlySet<string>;
}
