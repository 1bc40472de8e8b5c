import type { PersonLink } from '../model/chat.ts';
import type { DelegationEntry } from '../model/delegation.ts';
import type { Directory } from '../model/directory.ts';
import type { ProjectFlow } from '../model/flow.ts';
import type { FieldValue, Instant, Status, StatusCategory } from '../model/issue.ts';
import type { Documents } from './documents.ts';

/** A list of things that a tracker has, such as its groups; `isListed`: the tracker's own list has the entry. */
export interface DirectoryList {
  readonly kind: string;
  readonly entries: readonly { readonly id: string; readonly isListed: boolean; readonly value: unknown }[];
}

/** Statuses as a list has them or, where its name is empty, as issues mention them; `place` is their order among all. */
export interface StatusList {
  readonly list: string;
  readonly statuses: readonly {
    readonly id: string;
    readonly name: string;
    readonly category: StatusCategory;
    readonly scope: string | null;
    readonly place: number;
  }[];
}

/** The categories that were set for a status. The last one counts, those before it are the record of changes; null: taken back. */
export interface StatusSettings {
  readonly status: string;
  readonly settings: readonly {
    readonly category: StatusCategory | null;
    readonly by: string;
    readonly at: Instant;
  }[];
}

/** Entries of lists that are not whole yet, as some requests have brought them. */
export interface ListsSliceRecord {
  readonly parts: readonly Partial<Directory>[];
  /** Groups of people, by user id; `whole`: they are in no others. */
  readonly memberships: readonly {
    readonly user: string;
    readonly groups: readonly FieldValue[];
    readonly whole: boolean;
  }[];
  readonly statuses: readonly Status[];
  /** Lists that were refused, or parts of them. */
  readonly refused: readonly { readonly source: string; readonly reason: string }[];
}

/** The tracker's answer to who can browse a project, requested at an instant and used until another one. */
export interface ProjectAccessRecord {
  /** Upper case. */
  readonly project: string;
  readonly at: Instant;
  readonly until: Instant;
  /** JSON that the tracker itself reads. */
  readonly access: unknown;
}

/** An issue that the tracker has and that could not be taken. */
export interface RejectedIssue {
  readonly id: string;
  /** Upper case. */
  readonly key: string;
  readonly reason: string;
  /** The tracker's own time of the update of the rejected version; null where it is unknown. */
  readonly updated: Instant | null;
}

/** An issue that could not be taken, when that was tried last, and how long (ms) it rests since. */
export interface RestingIssue extends RejectedIssue {
  readonly triedAt: Instant;
  readonly pauseMs: number;
}

/** The link of an account elsewhere to a user; null after it was removed. */
export interface KeptLink {
  /** Rises with each change of the link: an invitation is for one revision. */
  readonly revision: number;
  readonly link: PersonLink | null;
}

/** The documents of a tracker; its issues and people have tables of their own. */
export interface TrackerDocuments {
  /** The instant of the last fill, and what was learnt of values in histories. */
  readonly facts: Documents<number | string>;
  readonly directory: Documents<DirectoryList>;
  readonly statuses: Documents<StatusList>;
  readonly statusCategories: Documents<StatusSettings>;
  /** The state of its synchronisation, and the lease of it. */
  readonly sync: Documents<unknown>;
  /** By their number, in their order. */
  readonly listsSlices: Documents<ListsSliceRecord>;
  /** By the key of the project. */
  readonly projectAccess: Documents<ProjectAccessRecord>;
  /** By the tracker's id of the issue. */
  readonly rejected: Documents<RestingIssue>;
  /** Delegations with all their versions, and their categories, whose names are unique as people compare them. */
  readonly delegations: Documents<DelegationEntry>;
  /** By account elsewhere; the users are those of the tracker. */
  readonly links: Documents<KeptLink>;
  /** By the key of the project, upper case. */
  readonly flows: Documents<ProjectFlow>;
}
