import type { Category, Delegation } from './delegation.ts';
import type { FieldValue, Instant } from './issue.ts';
import type { ParameterSet } from './parameter-set.ts';
import type { BrowsePermissions } from './request.ts';
import type { CalendarDefinition } from './settings.ts';

/** A sprint; instants are null where the tracker does not give them. `completed` is when it was closed. */
export interface Sprint extends FieldValue {
  readonly state: 'future' | 'active' | 'closed';
  readonly start: Instant | null;
  readonly end: Instant | null;
  readonly completed: Instant | null;
  readonly board: string | null;
}

/** A kind of issue. `subtask`: its issues are parts of others. */
export interface IssueType extends FieldValue {
  readonly subtask: boolean;
}

/** A priority; `place` is its place in the tracker's own list, 0 the most important. */
export interface Priority extends FieldValue {
  readonly place: number;
}

/** A version of a project, which is known by its key. */
export interface Version extends FieldValue {
  readonly project: string;
  readonly released: boolean;
  readonly archived: boolean;
  /** A day such as 2026-03-31, or null; planned until the version is released. */
  readonly releaseDate: string | null;
  /** Its place in the project's list, from 0 on; absent where only issues mention the version. */
  readonly place?: number;
}

/** A saved JQL query of the tracker. `shared`: everyone may use it, otherwise only its owner and admins. */
export interface SavedFilter {
  readonly id: string;
  readonly name: string;
  readonly jql: string;
  readonly owner: string | null;
  readonly shared: boolean;
}

/** A group of users; `members` are user ids. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
}

/** The name of a field for people, such as "Story Points" for customfield_10016. */
export interface FieldName {
  readonly id: string;
  readonly name: string;
  /** The field holds several values that have no ids; of `words`, none of them has a blank. Absent where nothing says so. */
  readonly list?: 'words' | 'names';
  /** The field has the name of the flag; whether it is the flag follows from its type. Absent: see `isFlag`. */
  readonly flag?: boolean;
}

/**
 * The people who may see the issues of a project (`id` is its key), or those with a security level (`id` is the level's).
 * `viewers` are user ids and group ids, where both are called alike with `user:` or `group:` before them; a group's
 * members are meant.
 */
export interface AccessRule {
  readonly kind: 'project' | 'level';
  readonly id: string;
  readonly viewers: readonly string[];
}

/** The parts of a tracker that are looked up beside its issues; each list by id. */
export interface Directory {
  readonly sprints: readonly Sprint[];
  readonly filters: readonly SavedFilter[];
  readonly groups: readonly Group[];
  readonly fields: readonly FieldName[];
  /** The issue types of which the tracker says whether they are sub-tasks. */
  readonly issueTypes: readonly IssueType[];
  /** None where the tracker's list is unknown. */
  readonly priorities: readonly Priority[];
  /** The versions of which the tracker says whether they are released. */
  readonly versions: readonly Version[];
  readonly access: readonly AccessRule[];
  readonly calendars: readonly CalendarDefinition[];
  /** Saved reports that are there from the start. */
  readonly parameterSets: readonly ParameterSet[];
  readonly categories: readonly Category[];
  /** Delegations the tracker brings along; the same id always means the same one. */
  readonly delegations: readonly Delegation[];
}

/** The directory as it is for one principal. `permissions`: what the tracker itself lets them browse; null: the rules decide. */
export interface PrincipalsDirectory extends Directory {
  readonly permissions: BrowsePermissions | null;
}

export const emptyDirectory: Directory = {
  sprints: [],
  filters: [],
  groups: [],
  fields: [],
  issueTypes: [],
  priorities: [],
  versions: [],
  access: [],
  calendars: [],
  parameterSets: [],
  categories: [],
  delegations: [],
};
