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

/** What every part of a query is compiled in; saved filters are compiled in one of their own. */
export interface Compilation {
  readonly world: JqlWorld;
  /** How refusals begin: the parameter's name, and the filter a clause stands in. */
  readonly name: string;
  /** Ids of the saved filters this one is part of, outermost first. */
  readonly within: readonly string[];
  /** Conditions of saved filters by id, so that a filter named often is compiled once. */
  readonly filters: Map<string, Condition>;
  /** Functions that were called whose answer depends on who asks, in lower case; those of saved filters as well. */
  readonly personal: Set<string>;
}

/** Three-valued (Kleene) truth, ordered, so that AND is the least, OR the greatest and NOT the mirror image. */
export const NO = 0;
export const UNKNOWN = 1;
export const YES = 2;
export type Truth = typeof NO | typeof UNKNOWN | typeof YES;

/** The truth of both together. */
export function least(one: Truth, other: Truth): Truth {
  return one < other ? one : other;
}

/** A condition ready to be asked of any issue. */
export type Condition = (issue: Issue) => Truth;

export function every(conditions: readonly Condition[]): Condition {
  return (issue) => {
    let least: Truth = YES;
    for (const condition of conditions) {
      const truth = condition(issue);
      if (truth === NO) return NO;
      if (truth < least) least = truth;
    }
    return least;
  };
}

export function some(conditions: readonly Condition[]): Condition {
  return (issue) => {
    let greatest: Truth = NO;
    for (const condition of conditions) {
      const truth = condition(issue);
      if (truth === YES) return YES;
      if (truth > greatest) greatest = truth;
    }
    return greatest;
  };
}

export function not(condition: Condition): Condition {
  return (issue) => opposite(condition(issue));
}

export function opposite(truth: Truth): Truth {
  return opposites[truth];
}

const opposites = { [NO]: YES, [UNKNOWN]: UNKNOWN, [YES]: NO } as const;
