/** What issues an answer tells of: enough to decide who else may read it. */
export interface Contents {
  /** Keys of their projects, and of those of whose issues it names keys, upper case, in order, each once. */
  readonly projects: readonly string[];
  /** How many issues there are. */
  readonly issues: number;
  /**
   * How many of them have a security level or are restricted to roles, and so are not for everybody who may see their
   * project. Null: nobody tells.
   */
  readonly withLevel: number | null;
  /** How many of these are restricted to roles; absent: none. */
  readonly withRoles?: number;
}
