import type { Directory } from '../model/directory.ts';
import type { FieldContent, FieldValue, Instant, Issue, Status, User } from '../model/issue.ts';

/** Whether a query holds for an issue; `unknown` where its cut history does not tell. */
export type Answer = 'yes' | 'no' | 'unknown';

/** An issue had one value of a field for a while; `known: false` is time the cut history says nothing about. */
export interface FieldVisit {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly start: Instant;
  readonly end: Instant;
}

/** Everything a query may refer to. The world is told as it was at `now`, which may lie in the past. */
export interface JqlWorld {
  readonly now: Instant;
  /** The asker's zone: dates and date functions are read in it. */
  readonly timeZone: string;
  /** User id of the asker. */
  readonly asker: string;
  readonly admin: boolean;
  readonly directory: Directory;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
  /** The issues the asker may see: what values and fields there are. */
  readonly issues: readonly Issue[];
  /** The keys of issues (upper case) by those they had before, of issues that the asker may not see as well. */
  readonly formerKeys?: ReadonlyMap<string, string>;
  /**
   * What a field held at `now`; undefined where the issue has no such field. The past of a list may be told as one
   * value that joins ids and names with a comma and a space.
   */
  readonly contentOf: (issue: Issue, field: string) => FieldContent | undefined;
  /** What the issue had of a field from its creation until `now`, without gap. */
  readonly visitsOf: (issue: Issue, field: string) => readonly FieldVisit[];
  /** Told of every field that a query reads, while it is compiled. */
  readonly onRead?: (field: string) => void;
}

/** A query ready to be asked of any issue. `where` and `orderBy` are its two parts as they were written. */
export interface JqlQuery {
  readonly where: string;
  readonly orderBy: string | null;
  /** It calls `currentUser()`, itself or in a saved filter it names. */
  readonly dependsOnAsker: boolean;
  readonly matches: (issue: Issue) => Answer;
  /** Null when none was asked for. */
  readonly order: JqlOrder | null;
}

/** What of an issue decides its place; null is empty. */
export type SortKey = string | number | null;

/** An order: each issue is looked at once, and what was found is compared. */
export interface JqlOrder {
  readonly keysOf: (issue: Issue) => readonly SortKey[];
  readonly compare: (a: readonly SortKey[], b: readonly SortKey[]) => number;
}
