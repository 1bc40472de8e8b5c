/** Epoch milliseconds, UTC. */
export type Instant = number;

/** One value a field can have: a status, a person, a sprint. `id` decides identity, `name` is for people. */
export interface FieldValue {
  readonly id: string;
  readonly name: string;
}

/** A person as the tracker knows them; `id` is what changes and filters refer to. */
export interface User {
  readonly id: string;
  readonly name: string;
  /** The person's name in the tracker's own interfaces, where that is not the id. */
  readonly login?: string;
  readonly email?: string;
  readonly admin?: boolean;
  /** IANA zone in which the person reads and writes dates. */
  readonly timeZone?: string;
}

/**
 * One changelog item: at an instant one field went from one value to another; `null` is "empty".
 * `entry` is the tracker's id of the changelog entry and `item` the place within it ('' and 0 when unknown).
 */
export interface Change {
  readonly entry: string;
  readonly item: number;
  readonly at: Instant;
  readonly field: string;
  readonly from: FieldValue | null;
  readonly to: FieldValue | null;
  readonly by: string | null;
}

/**
 * The completeness of the changes of an issue. Where some are missing, nothing is known of the issue from `unknownFrom`
 * (null: its creation) until `unknownUntil` (null: the present), and `reason` says why.
 */
export type History =
  | { readonly complete: true }
  | {
      readonly complete: false;
      readonly unknownFrom: Instant | null;
      readonly unknownUntil: Instant | null;
      readonly reason: string;
    };

export type StatusCategory = 'To Do' | 'In Progress' | 'Done' | 'Undefined';

/**
 * The source of a category that the tracker does not give: an admin has set it, a status of the same name has it, or the
 * statuses before and after it in the histories imply it.
 */
export const categorySources = ['admin', 'same name', 'neighbors'] as const;
type CategorySource = (typeof categorySources)[number];

/** A workflow status. `deleted` only when the tracker's own list of statuses is known and lacks it, and no issue is in it. */
export interface Status {
  readonly id: string;
  readonly name: string;
  readonly category: StatusCategory;
  /** Absent where the category is the tracker's own, or unknown. */
  readonly categorySource?: CategorySource;
  readonly deleted: boolean;
  /** The tracker's lists are known and lack it: it is gone, newer than they are, or of another site. */
  readonly unlisted?: true;
  /** The status is in the tracker's one list, so `name` is today's; otherwise it is a name from a history. */
  readonly listed?: boolean;
  /** Key of the project a team-managed status belongs to. */
  readonly scope?: string;
}

/** A field's current content: one value, several, or a plain number. */
export type FieldContent = FieldValue | readonly FieldValue[] | string | number | null;

/** Stands for a content in a form that is not supported: not empty, and nothing that could be compared or grouped by. */
export const UNSUPPORTED: FieldValue = { id: ':unsupported', name: '(not supported)' };

/** An issue as last read from the tracker, with every change of every field that is known. */
export interface Issue {
  /** The tracker's id, which stays when the key changes; absent where only the key is known. */
  readonly id?: string;
  readonly key: string;
  readonly project: FieldValue;
  readonly summary: string;
  readonly created: Instant;
  readonly updated: Instant;
  readonly resolved: Instant | null;
  readonly status: FieldValue;
  readonly assignee: FieldValue | null;
  /** Current content by field id, `status`, `assignee` and `summary` included. */
  readonly fields: Readonly<Record<string, FieldContent>>;
  readonly changes: readonly Change[];
  readonly history: History;
  readonly link?: string;
}

/** The field of the roles that an issue of a team-managed project is restricted to. */
export const RESTRICTION = 'issuerestriction';
