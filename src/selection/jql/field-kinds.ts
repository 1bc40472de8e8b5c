import { NO, YES } from '../../engine/columns/row-predicates.ts';
import { splitValue } from '../../model/issues/value-sets.ts';
import { dateValues } from './date-values.ts';
import { contentField, contentSource, dividerOf, listSource } from './field-contents.ts';
import type { Compilation, IssueThen, JqlWorld } from './jql.ts';
import { textValues } from './plain-values.ts';
import type { Operator } from './query-tree.ts';
import type { Content, JqlField, Source, Values } from './values.ts';

/** Operators of fields whose values are equal or not. */
export const equality: readonly Operator[] = ['=', '!=', 'in', 'not in', 'is', 'is not'];

/** Operators of fields that are always filled in, or where Jira does not ask whether they are. */
export const filled: readonly Operator[] = ['=', '!=', 'in', 'not in'];

/** Operators of fields whose values come before or after each other. */
export const order: readonly Operator[] = ['<', '<=', '>', '>='];

const search: readonly Operator[] = ['~', '!~', 'is', 'is not'];

/** Operators of fields with a history. Jira keeps them to six fields; here every field with a history takes them. */
export const past: readonly Operator[] = ['was', 'was not', 'was in', 'was not in', 'changed'];

/** A field every tracker has, by all the names queries call it; the first is the one that lists show. */
export interface SystemField {
  readonly names: readonly [string, ...string[]];
  readonly build: (compilation: Compilation) => JqlField;
  /** The tracker's field it reads, where files may lack it: no issue with it means that its data is not here. */
  readonly needs?: string;
  /** Another way to ask for a field that is in the list already, or that the site's own list has. */
  readonly unlisted?: true;
}

/** A field of single values with a history, of a column that is usually the field's own. */
export function single(
  title: string,
  id: string,
  values: Values,
  { world }: Compilation,
  source = contentSource(id),
): JqlField {
  return { title, operators: [...equality, ...past], values, ...contentField(source, world), history: id };
}

/** A field of several values, whose history is of the sets of them. */
export function several(title: string, id: string, values: Values, compilation: Compilation): JqlField {
  const divider = dividerOf(id);
  return {
    ...single(title, id, values, compilation, listSource(id)),
    elements: (value) => splitValue(value, divider),
  };
}

/** A field of single values that also come before or after each other. */
export function comparable(field: JqlField): JqlField {
  return { ...field, operators: [...equality, ...order, ...past] };
}

/** A field whose changes are not logged. */
export function unlogged(field: JqlField): JqlField {
  return { ...field, operators: [...equality, ...order], history: null };
}

/** A field of texts; where nearly all differ, columns have no dictionary of them. */
export function textField(
  title: string,
  id: string,
  compilation: Compilation,
  areDifferent = false,
): JqlField {
  const field = single(title, id, textValues(title, compilation), compilation);
  const source: Source | null = areDifferent ? { kind: 'text', field: id } : field.source;
  return { ...field, source, operators: [...search, 'changed'] };
}

/** A field of texts of every tracker. */
export function text(id: string): SystemField {
  return { names: [id], build: (compilation) => textField(id, id, compilation, true) };
}

/** An instant that columns hold beside the fields. */
export function instant(
  title: 'created' | 'updated' | 'resolved',
  others: readonly string[],
  read: (then: IssueThen, world: JqlWorld) => Content,
): SystemField {
  return {
    names: [title, ...others],
    build: (compilation) => ({
      title,
      operators: [...equality, ...order],
      values: dateValues(title, compilation, (window) => ({
        kind: 'instant',
        column: title,
        empty: NO,
        ...window,
      })),
      read: (then) => read(then, compilation.world),
      source: {
        kind: title,
        empty: title === 'resolved' ? { ...never, column: title, empty: YES } : nothing,
      },
      history: null,
    }),
  };
}

/** Holds for no row: the field is never empty. */
export const nothing = { kind: 'constant', truth: NO } as const;

/** No instant at all. */
const never = { kind: 'instant', from: 0, until: 0 } as const;
