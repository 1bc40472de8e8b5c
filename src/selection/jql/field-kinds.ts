import { NO, YES } from '../../engine/columns/row-predicates.ts';
import { splitValue } from '../../model/issues/value-sets.ts';
import { dateValues } from './date-values.ts';
import { contentField, contentSource, dividerOf, listSource } from './field-contents.ts';
import type { Compilation, IssueThen, JqlWorld } from './jql.ts';
import { textValues } from './plain-values.ts';
import type { Operator } from './query-tree.ts';
import type { Content, ContentSource, JqlField, KnownContent, Values } from './values.ts';

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

/** A field of single values with a history. */
export function single(title: string, id: string, values: Values, { world }: Compilation): JqlField {
  return {
    title,
    operators: [...equality, ...past],
    values,
    ...contentField(contentSource(id), world),
    history: id,
  };
}

/** A field of several values, whose history is of the sets of them. */
export function several(title: string, id: string, values: Values, { world }: Compilation): JqlField {
  const divider = dividerOf(id);
  return {
    title,
    operators: [...equality, ...past],
    values,
    ...contentField(listSource(id), world),
    history: id,
    elements: (value) => splitValue(value, divider),
  };
}

/** A field of single values that also come before or after each other. */
export function comparable(field: JqlField): JqlField {
  return { ...field, operators: [...equality, ...order, ...past] };
}

/** A field that is compared by what `see` makes of its content, and whose changes are not logged. */
export function derived(
  title: string,
  id: string,
  values: Values,
  {
    compilation,
    see,
  }: { readonly compilation: Compilation; readonly see: (content: KnownContent) => KnownContent },
): JqlField {
  const source: ContentSource = { ...contentSource(id), read: (content) => see(content ?? null) };
  return {
    title,
    operators: [...equality, ...order],
    values,
    ...contentField(source, compilation.world),
    history: null,
  };
}

/** A field of texts. */
export function text(id: string): SystemField {
  return {
    names: [id],
    build: (compilation) => {
      const base = { title: id, ...contentField(contentSource(id), compilation.world), history: id };
      return longText(id, base, compilation);
    },
  };
}

/** A field of texts that nearly all differ. */
export function longText(
  id: string,
  base: Pick<JqlField, 'title' | 'read' | 'history'>,
  compilation: Compilation,
): JqlField {
  return { ...shortText(base, compilation), source: { kind: 'text', field: id } };
}

/** A field of texts, of which columns hold a dictionary. */
export function shortText(
  base: Pick<JqlField, 'title' | 'read' | 'history'>,
  compilation: Compilation,
): Omit<JqlField, 'source'> {
  return { ...base, operators: [...search, 'changed'], values: textValues(base.title, compilation) };
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
