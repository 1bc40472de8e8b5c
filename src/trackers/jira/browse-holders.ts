/**
 * To whom a project's permission scheme grants Browse Projects. Everything but `dependsOnIssue` and `isKnown` is what
 * grants it without a look at any issue.
 */
export interface BrowseHolders {
  /** Some holder is somebody else from issue to issue, so that to browse the project does not open each of its issues. */
  readonly dependsOnIssue: boolean;
  /** There is no holder but those whose meaning is known. */
  readonly isKnown: boolean;
  /** Whoever may ask at all. */
  readonly anyone: boolean;
  /** Ids of people. */
  readonly people: ReadonlySet<string>;
  /** Logins of people: all that Data Center tells of those in a role. */
  readonly logins: ReadonlySet<string>;
  /** Ids or names of groups. */
  readonly groups: ReadonlySet<string>;
  /** Keys of the licences whose owners are meant; '' is any. */
  readonly licences: ReadonlySet<string>;
}
