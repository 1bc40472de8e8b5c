import type { FinishStatuses } from '../../engine/columns/flow-rows.ts';
import {
  NO,
  type RowPredicate,
  type TextSearch,
  type Truth,
  UNKNOWN,
  YES,
} from '../../engine/columns/row-predicates.ts';
import type { FieldContent, FieldValue, Instant } from '../../model/issue.ts';
import type { Compiled, IssueThen, Naming, UnknownInstant } from './jql.ts';
import type { CallOperand, Operand, Operator, ValueOperand, Word } from './query-tree.ts';

/** The content of a field that a cut history lacks. */
export const UNCERTAIN: unique symbol = Symbol('uncertain');

/** The content that a field holds; null, the empty text and the empty list are empty. */
export type KnownContent = Item | readonly Item[] | null;

/** A content, or one that is not known. */
export type Content = KnownContent | typeof UNCERTAIN;

/** A field that a query can name. */
export interface JqlField {
  readonly title: string;
  readonly operators: readonly Operator[];
  readonly values: Values;
  readonly read: (then: IssueThen) => Content | UnknownInstant;
  /** The columns of all issues that have the same; null where none has. */
  readonly source: Source | null;
  /** The id of the field whose history WAS and CHANGED are about; null where there is none. */
  readonly history: string | null;
  /** The values that one value of the history, which is a set, consists of. */
  readonly elements?: (value: FieldValue) => readonly FieldValue[];
}

/** The columns that have the contents of a field. */
export type Source =
  /** Contents of all these fields together. */
  | { readonly kind: 'contents'; readonly of: readonly ContentSource[] }
  /** Texts of a field, of which nearly each is another. */
  | { readonly kind: 'text'; readonly field: string }
  /** The project's key of the issue's. */
  | { readonly kind: 'project' }
  /** Contents without a dictionary: their kind of values makes predicates, and one of empty contents. */
  | { readonly kind: 'created' | 'updated' | 'resolved' | 'key'; readonly empty: RowPredicate }
  | { readonly kind: 'finished'; readonly statuses: FinishStatuses; readonly empty: RowPredicate };

/** A column of contents; `read` makes of one what is compared. */
export interface ContentSource {
  readonly field: string;
  readonly read: (content: FieldContent | undefined) => KnownContent;
  /** The content never changes. */
  readonly always: boolean;
}

/** One value of a field. The past of numbers, dates and texts is `FieldValue`s, too. */
export type Item = FieldValue | string | number;

/** Null: it is unknown. */
export type Test = (item: Item) => boolean | null;

/** The instants from `from` on that lie before `until`, in whole ms. */
export interface Window {
  readonly from: Instant;
  readonly until: Instant;
}

/** An operand for one value but EMPTY: a written value or a function. */
export type NonEmptyOperand = ValueOperand | CallOperand;

export type Sign = '<' | '<=' | '>' | '>=';

/** The operators that one kind of field takes, by function; others are missing. */
export interface Values {
  /**
   * Refuses what is no value of the kind. Of a value in a change (`isThen`) a name is also that by which the tracker called the
   * value then.
   */
  readonly equal: (operand: NonEmptyOperand, inList: boolean, isThen?: boolean) => Test;
  readonly compare?: (sign: Sign, operand: NonEmptyOperand) => Test;
  /** The search for words in texts. */
  readonly search?: (operand: NonEmptyOperand) => TextSearch;
  /** The test for equality or comparison as a predicate, of values that columns have no dictionary of. */
  readonly plain?: (sign: Sign | '=', operand: NonEmptyOperand) => RowPredicate;
  /** The condition of a function that is about more than the field's content; null of all others. */
  readonly condition?: (call: CallOperand, inList: boolean) => Compiled | null;
  /** Returns true for another word for EMPTY. */
  readonly meansEmpty?: (operand: NonEmptyOperand) => boolean;
  /** Place in an ascending order. */
  readonly sortKey: (item: Item) => string | number;
  /** Without ASC or DESC the order is descending. */
  readonly descending?: true;
}

/** The text of a value as a history or a field has it. */
export function itemText(item: Item): string {
  return typeof item === 'object' ? item.name : String(item);
}

/** The id of a value; of a text or number its text. */
export function itemId(item: Item): string {
  return typeof item === 'object' ? item.id : String(item);
}

/** Texts are ordered without regard to case. */
export function byName(item: Item): string {
  return itemText(item).toLowerCase();
}

/** Returns true where a comparison holds; `order` is negative, 0 or positive as the left side is less, equal or greater. */
export function holds(sign: Sign, order: number): boolean {
  switch (sign) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** The values that an operand names. */
export interface Wanted {
  readonly empty: boolean;
  readonly tests: readonly Test[];
  /** The tests as predicates, of values that have such. */
  readonly plain: readonly RowPredicate[];
  /** The search of the only test in columns of texts. */
  readonly search?: TextSearch;
}

/**
 * Reads the values that an operand names of a field, of its contents or of its changes; `many`: functions that stand
 * for several values may be among it.
 */
export function readWanted(
  { values }: JqlField,
  operand: Operand,
  many: boolean,
  of: 'contents' | 'changes' = 'contents',
): Wanted {
  const tests: Test[] = [];
  const plain: RowPredicate[] = [];
  let empty = false;
  for (const one of operand.values) {
    if (one.kind === 'empty') empty = true;
    else if (values.meansEmpty?.(one) === true) empty = true;
    else {
      tests.push(values.equal(one, many || operand.isList, of === 'changes'));
      if (values.plain !== undefined) plain.push(values.plain('=', one));
    }
  }
  return { empty, tests, plain };
}

/** The values that a content consists of; none where it is empty. */
export function itemsIn(content: KnownContent): readonly Item[] {
  if (content === null || content === '') return [];
  return typeof content === 'object' && 'length' in content ? content : [content];
}

/** Returns true for an instant of which only a range is known. */
export function isUnknownInstant(content: Content | UnknownInstant): content is UnknownInstant {
  return content !== null && typeof content === 'object' && 'mayBeEmpty' in content;
}

/** The truth of a value passing one of the tests. */
export function fits(item: Item, tests: readonly Test[]): Truth {
  let truth: Truth = NO;
  for (const test of tests) {
    const holds = test(item);
    if (holds === true) return YES;
    if (holds === null) truth = UNKNOWN;
  }
  return truth;
}

/** The ids and the names of values, each findable without regard to case. */
export function nameAll(values: Iterable<FieldValue>): Naming {
  const byName = new Map<string, Set<string>>();
  const byId = new Map<string, Set<string>>();
  const names: string[] = [];
  for (const { id, name } of values) {
    if (add(byName, name, id)) names.push(name);
    add(byId, id, id);
  }
  return { byName, byId, names };
}

function add(ids: Map<string, Set<string>>, text: string, id: string): boolean {
  const key = text.trim().toLowerCase();
  const known = ids.get(key);
  if (known === undefined) ids.set(key, new Set([id]));
  else known.add(id);
  return known === undefined;
}

/**
 * The ids a word stands for; null for none. A bare number is an id before it is a name, as in Jira, everything else a
 * name first. Names of today come before `former` ones.
 */
export function idsFor(
  word: Word,
  today: readonly Naming[],
  former: readonly Naming[] = [],
): ReadonlySet<string> | null {
  const wanted = word.text.trim().toLowerCase();
  const among = (namings: readonly Naming[], by: 'byName' | 'byId') => {
    const found = namings.flatMap((naming) => [...(naming[by].get(wanted) ?? [])]);
    return found.length === 0 ? null : new Set(found);
  };
  const named = () => among(today, 'byName') ?? among(former, 'byName');
  const identified = () => among([...today, ...former], 'byId');
  return isBareNumber(word) ? (identified() ?? named()) : (named() ?? identified());
}

/**
 * A test for the values that a word stands for in a history, as Jira documents for WAS: the values it stands for today,
 * and those that a change calls so, which may have another name by now. Null: no name, now or then, and no id.
 */
export function testThen(word: Word, today: readonly Naming[], former: readonly Naming[]): Test | null {
  const wanted = word.text.trim().toLowerCase();
  const ids = idsFor(
    word,
    today,
    former.map((naming) => ({ ...naming, byName: new Map() })),
  );
  const isId = isBareNumber(word) && [...today, ...former].some(({ byId }) => byId.has(wanted));
  if (isId) return (item) => ids?.has(itemId(item)) === true;
  if (ids === null && !former.some(({ byName }) => byName.has(wanted))) return null;
  return (item) => ids?.has(itemId(item)) === true || itemText(item).trim().toLowerCase() === wanted;
}

function isBareNumber(word: Word): boolean {
  return !word.quoted && /^\d+$/.test(word.text);
}
