import type { Directory } from '../../model/directory.ts';
import type { Instant, Status, StatusCategory } from '../../model/issue.ts';

/** A status that a list calls otherwise than another source does. */
export interface StatusClash {
  readonly id: string;
  readonly name: string;
  readonly elsewhere: string;
}

/** The category that an admin has set for a status; `by` is who did, as the door names them. */
export interface SetCategory {
  readonly category: StatusCategory;
  readonly by: string;
  readonly at: Instant;
}

/** The lists of a tracker: statuses, groups, sprints and the like. */
export interface TrackerLists {
  /** With the categories that admins have set, where the tracker gives none. */
  statuses(): Promise<ReadonlyMap<string, Status>>;
  /** The categories that admins have set, by status id, also where the tracker has come to give one. */
  setCategories(): Promise<ReadonlyMap<string, SetCategory>>;
  /** Sets the category of a status or, with null, takes it back. What was set before stays in the store, with who did it and when. */
  putCategory(
    status: string,
    category: StatusCategory | null,
    saving: Pick<SetCategory, 'by' | 'at'>,
  ): Promise<void>;
  /**
   * `list` names the list that has exactly these statuses; they replace its earlier ones. Null: they
   * are only mentioned in issues. A status is deleted when some list is kept and none has it.
   */
  putStatuses(statuses: readonly Status[], list: string | null): Promise<void>;
  /** Finds statuses that this list names otherwise than another list, or than issues in the status. */
  clashes(list: string): Promise<readonly StatusClash[]>;
  /** The lists of the tracker; a list that was never put is empty. */
  directory(): Promise<Directory>;
  /** Adds to the lists, replacing entries of the same id (of access rules: of the same kind and id). */
  putDirectory(part: Partial<Directory>): Promise<void>;
  /**
   * Replaces the entries that the tracker's own lists have. Its earlier entries go, or stay where a list came in part;
   * entries that only `putDirectory` has put stay.
   */
  replaceDirectory(
    lists: Partial<Pick<Directory, 'sprints' | 'filters' | 'groups' | 'fields'>>,
    others: 'go' | 'stay',
  ): Promise<void>;
  /** Takes an access rule away again; false when there is none. */
  removeAccess(kind: 'project' | 'level', id: string): Promise<boolean>;
  /** The facts about values in histories that earlier issues have shown, as text; null before the first time. */
  historyValues(): Promise<string | null>;
  putHistoryValues(text: string): Promise<void>;
  filledAt(): Promise<Instant | null>;
  putFilledAt(at: Instant): Promise<void>;
}
