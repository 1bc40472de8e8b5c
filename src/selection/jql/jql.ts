import type { FieldForm } from '../../engine/columns/field-part.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import type { LoadedColumns } from '../../engine/columns/loaded-columns.ts';
import type { RowOrder } from '../../engine/columns/row-order.ts';
import { NO, type RowPredicate, type Truth } from '../../engine/columns/row-predicates.ts';
import type { Directory } from '../../model/directory.ts';
import type { Flows } from '../../model/flow.ts';
import type { FieldContent, FieldValue, Instant, Issue, Status, User } from '../../model/issue.ts';
import type { QueryPlace } from './query-tree.ts';

/** An issue had one value of a field for a while; `known: false` is time the cut history says nothing about. */
export interface FieldVisit {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * When an issue was finished; `at` null: it was not, or was created as done. `unknown`: at some time from one instant to
 * another, both included, or perhaps never (`mayBeEmpty`).
 */
type Finish = { readonly at: Instant | null } | { readonly unknown: UnknownInstant };

/** An instant that lies between two others, both included, or perhaps is none at all. */
export interface UnknownInstant {
  readonly from: Instant;
  readonly until: Instant;
  readonly mayBeEmpty: boolean;
}

/** An issue as it was at the `now` of a world, from which columns of loaded issues are made. */
export interface IssueThen {
  readonly issue: Issue;
  /**
   * The content that a field held; undefined where the issue has no such field. The past of a list may be one value
   * that joins ids and names with a comma and a space.
   */
  contentOf(field: string): FieldContent | undefined;
  /** The visits of a field from the creation on, without gap. */
  visitsOf(field: string): readonly FieldVisit[];
  finish(): Finish;
}

/** Columns of loaded issues. */
export type Loaded = LoadedColumns<IssueThen>;

/** Everything a query may refer to. The world is as it was at `now`, which may lie in the past. */
export interface JqlWorld {
  readonly now: Instant;
  /** The principal's zone: dates and date functions are read in it. */
  readonly timeZone: string;
  /** User id of the principal. */
  readonly principal: string;
  readonly admin: boolean;
  readonly directory: Directory;
  readonly statuses: ReadonlyMap<string, Status>;
  /** By which issues are finished. */
  readonly flows: Flows;
  readonly users: ReadonlyMap<string, User>;
  /** The words of the issues that the principal can see. */
  readonly known: KnownIssues;
  /** The columns of all issues, for which predicates and orders are made. */
  readonly columns: IssueColumns;
  /** Returns true where columns have a field; with others, what is compiled is good for nothing but to find them all. */
  readonly hasColumn: HasColumn;
  /** The functions that hide contents from the principal, by field, for fields where something is hidden. */
  readonly redact?: ReadonlyMap<string, RedactContent>;
  /** Returns true where something in a field may be hidden from the principal, so that its texts are read from issues. */
  readonly hidesIn?: (field: string) => boolean;
  /** The keys of issues (upper case) by those they had before, of issues that the principal may not see as well. */
  readonly formerKeys?: ReadonlyMap<string, string>;
  /** Receives every field that a query reads, while it is compiled. */
  readonly onRead?: (field: string) => void;
}

/** Makes a content what the principal can read; the same where nothing is hidden. */
export type RedactContent = (content: FieldContent) => FieldContent;

/** Returns true where columns have a field in a form, or cannot have its history; others are noted. */
export type HasColumn = (field: string, as?: FieldForm) => boolean;

/** The words that a query may use, which issues mention in fields that columns have. */
export interface KnownIssues {
  /** The words of a field, now and before; with `redact`, as the principal can read them. */
  observed(field: string, redact?: RedactContent): ObservedField;
  /** Everybody who changed one of them, by id. */
  authors(): Naming;
  /** Ids of the fields they have. */
  fieldIds(): ReadonlySet<string>;
  /** The names of fields in their changes: ids, and titles whose field is not known. */
  changedFields(): ReadonlySet<string>;
  projects(): KnownProjects;
  /** Rows of those whose key, in capitals, is this one. */
  rowsOfKey(key: string): readonly number[];
  /** Rows of those the tracker calls by this id. */
  rowsOfId(id: string): readonly number[];
  /** Returns true where the tracker's ids of issues are kept. */
  haveIds(): boolean;
}

/** Ids by name and by id, both in lower case: names ignore case, and one name may stand for several ids. */
export interface Naming {
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>;
  readonly byId: ReadonlyMap<string, ReadonlySet<string>>;
  /** As people write them. */
  readonly names: readonly string[];
}

/** The values of one field by name, and the kinds of its contents. */
export interface ObservedField {
  /** Values the issues have. */
  readonly today: Naming;
  /** Values that changes mention: of a field that holds lists, those in the lists. */
  readonly former: Naming;
  readonly lists: boolean;
  readonly values: boolean;
  readonly numbers: boolean;
  /** Plain texts, as long as there are but a few different ones to look at. */
  readonly texts: ReadonlySet<string>;
}

/** Ids are the keys. Keys come before names and ids, so that no name can stand in the way of a key. */
export interface KnownProjects {
  readonly byKey: Naming;
  readonly named: Naming;
}

/** A query ready to be evaluated over rows. `where` and `orderBy` are its two parts as they were written. */
export interface JqlQuery {
  readonly where: string;
  readonly orderBy: string | null;
  /** It calls `currentUser()`, itself or in a saved filter it names. */
  readonly dependsOnPrincipal: boolean;
  /** The predicate of rows of the world's columns, as of its `now`. */
  readonly predicate: RowPredicate;
  /** The same predicate of rows of loaded issues. */
  readonly predicateOver: (loaded: Loaded) => RowPredicate;
  /** Null without ORDER BY. */
  readonly order: JqlOrder | null;
}

/** The key by which an issue is ordered; null is empty. */
export type SortKey = string | number | null;

/** An order of rows. */
export interface JqlOrder {
  /** The keys of loaded issues by row, one for each step. */
  readonly keysIn: (loaded: Loaded) => readonly (readonly SortKey[])[];
  /**
   * The order as data, which may take a while: each step is some milliseconds at most. `loaded` are the rows of `rowsToLoad`,
   * with their `keysIn`; without, an order that is good for `rowsToLoad` only, or where that finds none.
   */
  readonly rank: (loaded?: LoadedRows) => Generator<void, RowOrder>;
}

/** Rows whose issues were loaded, and what decides their places. */
export interface LoadedRows {
  readonly rows: Uint32Array;
  readonly keys: readonly (readonly SortKey[])[];
}

/** The context in which every part of a query is compiled; a saved filter has one of its own. */
export interface Compilation {
  readonly world: JqlWorld;
  /** The place of the query, with which refusals begin. */
  readonly name: QueryPlace;
  /** Ids of the saved filters this one is part of, outermost first. */
  readonly within: readonly string[];
  /** Saved filters by id, so that a filter named often is compiled once. */
  readonly filters: Map<string, Compiled>;
  /** Words that were looked up once. */
  readonly lookedUp: { users?: Naming; readonly redacted: Map<string, ObservedField> };
  /** It is for a clause about the past, which needs the histories of fields as well. */
  readonly isPast?: true;
  /** Functions that were called whose answer depends on the principal, in lower case; those of saved filters as well. */
  readonly personal: Set<string>;
}

/** The truth of one of some at least. */
export function greatest(truths: readonly Truth[]): Truth {
  let truth: Truth = NO;
  for (const one of truths) if (one > truth) truth = one;
  return truth;
}

/** Makes the predicate of a condition: over the columns of the world, which may need issues, or over loaded issues, which may not. */
export type Compiled = (loaded: Loaded | null) => RowPredicate;

/** All of them hold. */
export function every(parts: readonly Compiled[]): Compiled {
  return (loaded) => ({ kind: 'all', of: parts.map((part) => part(loaded)) });
}

/** One of them holds. */
export function some(parts: readonly Compiled[]): Compiled {
  return (loaded) => ({ kind: 'any', of: parts.map((part) => part(loaded)) });
}

/** It does not hold. */
export function not(part: Compiled): Compiled {
  return (loaded) => ({ kind: 'not', of: part(loaded) });
}
