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

/** What is known of a tracker beside its issues and people. */
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
   * `list` names the list of which these are all; it replaces what was kept of that list, and no other. Null: they
   * are only mentioned in issues. A status is deleted when some list is kept and none has it.
   */
  putStatuses(statuses: readonly Status[], list: string | null): Promise<void>;
  /** Where this list contradicts another list, or the issues that are in the status. */
  clashes(list: string): Promise<readonly StatusClash[]>;
  /** What is known beside the issues; empty lists where nothing is. */
  directory(): Promise<Directory>;
  /** Adds to the lists, replacing entries of the same id (of access rules: of the same kind and id). */
  putDirectory(part: Partial<Directory>): Promise<void>;
  /**
   * What the tracker's own lists tell now. `others` of what was told here before go or, where a list came in part, stay;
   * what only `putDirectory` has put stays.
   */
  replaceDirectory(
    lists: Partial<Pick<Directory, 'sprints' | 'filters' | 'groups' | 'fields'>>,
    others: 'go' | 'stay',
  ): Promise<void>;
  /** Takes an access rule away again; false when there is none. */
  removeAccess(kind: 'project' | 'level', id: string): Promise<boolean>;
  /** What was learnt from issues about values in histories, as text; null: nothing was kept so far. */
  historyValues(): Promise<string | null>;
  putHistoryValues(text: string): Promise<void>;
  filledAt(): Promise<Instant | null>;
  putFilledAt(at: Instant): Promise<void>;
}
