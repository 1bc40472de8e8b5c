/** An issue that some figure leaves out, and why. */
export interface LeftOut {
  readonly key: string;
  readonly reason: string;
}

/** What nobody can tell of issues, so that no figure has to pretend. */
export interface Doubts {
  /** They are done, but nobody knows since when. */
  readonly sinceUnknown: readonly LeftOut[];
  /** Nobody can tell whether they are open or done. */
  readonly unclear: readonly LeftOut[];
  /** Titles of statuses that issues met and whose category nobody knows. */
  readonly withoutCategory: readonly string[];
}
