import type { Directory } from '../../model/directory.ts';
import type { Instant, Status, StatusCategory } from '../../model/issue.ts';

/** A status that a list names otherwise than another source does. */
export interface StatusClash {
  readonly id: string;
  readonly name: string;
  readonly elsewhere: string;
}

/** The category that an admin has set for a status; `by` is the admin, as the door names people. */
export interface SetCategory {
  readonly category: StatusCategory;
  readonly by: string;
  readonly at: Instant;
}

/** The lists of a tracker: statuses, groups, sprints and the like. */
export interface TrackerLists {
  /** Returns statuses by id, with the categories that admins have set where the tracker gives none. */
  statuses(): Promise<ReadonlyMap<string, Status>>;
  /** Returns the categories that admins have set, by status id, also where the tracker gives one by now. */
  setCategories(): Promise<ReadonlyMap<string, SetCategory>>;
  /** Sets the category of a status or, with null, takes it back. Earlier categories stay in the store, with admin and instant. */
  putCategory(
    status: string,
    category: StatusCategory | null,
    saving: Pick<SetCategory, 'by' | 'at'>,
  ): Promise<void>;
  /**
   * Writes statuses. `list` names the list that has exactly these; they replace its earlier ones. Null: issues mention
   * them. A status is deleted when there is a list and none has it.
   */
  putStatuses(statuses: readonly Status[], list: string | null): Promise<void>;
  /** Finds statuses that this list names otherwise than another list, or than issues in the status. */
  clashes(list: string): Promise<readonly StatusClash[]>;
  /** Returns the lists of the tracker; a list that was never put is empty. */
  directory(): Promise<Directory>;
  /** Adds to the lists, replacing entries of the same id (of access rules: of the same kind and id). */
  putDirectory(part: Partial<Directory>): Promise<void>;
  /**
   * Replaces the entries of the tracker's own lists. Earlier entries go, or stay where a list came in part; entries that
   * only `putDirectory` has put stay.
   */
  replaceDirectory(
    lists: Partial<Pick<Directory, 'sprints' | 'filters' | 'groups' | 'fields'>>,
    others: 'go' | 'stay',
  ): Promise<void>;
  /** Removes an access rule; false when there is none. */
  removeAccess(kind: 'project' | 'level', id: string): Promise<boolean>;
  /** Returns the facts of values in histories as text; null before the first ones. */
  historyValues(): Promise<string | null>;
  putHistoryValues(text: string): Promise<void>;
  filledAt(): Promise<Instant | null>;
  putFilledAt(at: Instant): Promise<void>;
}
