import type { FieldContent, FieldValue } from '../issue.ts';
import { compareIds } from './ids-and-names.ts';

/** The divider between the ids and between the names of several values that are one value of a history. */
const DIVIDER = ', ';

/** The divider as trackers write it, with or without a blank. */
export const writtenDivider = /, ?/g;

/** Fields of every Jira that hold several values, even where no issue has any. */
const sets: readonly string[] = ['labels', 'components', 'fixVersions', 'versions', 'issuelinks'];

/** True for a field of every Jira that holds several values. */
export function isSet(field: string): boolean {
  return sets.includes(field);
}

/** The dividers between the two levels of a cascading option: in its id, where Jira has two, and in its name. */
const LEVEL = { id: ':', name: ' → ' } as const;

/** True for a content that is one value, no list and no text. */
export function isValue(content: FieldContent | undefined): content is FieldValue {
  return content !== null && typeof content === 'object' && 'id' in content;
}

/** The values a content consists of. */
export function elementsOf(content: FieldContent | undefined): readonly FieldValue[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content !== 'object') return [{ id: String(content), name: String(content) }];
  return 'length' in content ? content : [content];
}

/** By id, for a set must read the same whatever order its elements came in and whatever they are called today. */
export function inStableOrder(values: readonly FieldValue[]): FieldValue[] {
  return values.length < 2 ? [...values] : values.toSorted((a, b) => compareIds(a.id, b.id));
}

/** Several values as one: the same for the same set, in contents and in histories. Null for none. */
export function joinValues(values: readonly FieldValue[]): FieldValue | null {
  const [only] = values;
  if (only === undefined) return null;
  if (values.length === 1) return only;
  const sorted = inStableOrder(values);
  return {
    id: sorted.map(({ id }) => id).join(DIVIDER),
    name: sorted.map(({ name }) => name).join(DIVIDER),
  };
}

/**
 * The values that one value of a history is made of; `divider` is what stands between them. Where names hold commas, so
 * that it is unclear which is whose, each value is called by its id.
 */
export function splitValue(value: FieldValue, divider: string | RegExp = DIVIDER): readonly FieldValue[] {
  const ids = value.id.split(divider);
  if (ids.length < 2) return [value];
  const names = value.name.split(divider);
  return ids.map((id, i) => ({ id, name: names.length === ids.length ? (names[i] ?? id) : id }));
}

/** True if it is clear which name of a set belongs to which id. */
export function hasClearNames({ id, name }: FieldValue): boolean {
  return !id.includes(DIVIDER) || id.split(DIVIDER).length === name.split(DIVIDER).length;
}

/** A cascading option of both levels. */
export function cascadingOption(parent: FieldValue, child: FieldValue): FieldValue {
  return { id: parent.id + LEVEL.id + child.id, name: parent.name + LEVEL.name + child.name };
}

/** The two levels of a cascading option's id or name; null where there is no second level. */
export function cascadingLevels(of: 'id' | 'name', text: string): readonly [string, string] | null {
  const at = text.indexOf(LEVEL[of]);
  return at < 0 ? null : [text.slice(0, at), text.slice(at + LEVEL[of].length)];
}

/** True for the id of a cascading option of both levels; ids of options are numbers. */
export function isCascading(id: string): boolean {
  return /^\d+:\d+$/.test(id);
}

/** The form of a cascading option in Jira's changelogs: with the ids, whatever the language. */
const cascading = /^Parent values: (.*?)\((\d+)\)(?:Level 1 values: (.*)\((\d+)\))?$/s;

/**
 * A value as a changelog writes it, in the form that contents have: ids in square brackets or in a row ("[10019]", "5, 3")
 * are a set, and a cascading option is written in words. `hasId`: the id is one, and not the name again.
 */
export function historyValue(value: FieldValue, hasId = value.id !== value.name): FieldValue | null {
  const { id, name } = value;
  if (name.startsWith('Parent values: ')) return readCascading(name) ?? value;
  const isBracketed = isInBrackets(id);
  if (!hasId || !(isBracketed || (id.includes(',') && /^\d+(?:, ?\d+)+$/.test(id)))) return value;
  const ids = withoutBrackets(id)
    .split(writtenDivider)
    .filter((one) => one !== '');
  const [only] = ids;
  if (only === undefined) return null;
  const text = isBracketed ? withoutBrackets(name) : name;
  if (ids.length === 1) return { id: only, name: text };
  const names = text.split(writtenDivider);
  if (names.length === ids.length)
    return joinValues(ids.map((one, i) => ({ id: one, name: names[i] || one })));
  return { id: ids.toSorted(compareIds).join(DIVIDER), name: text };
}

function readCascading(text: string): FieldValue | null {
  const [, name, id, childName, childId] = cascading.exec(text) ?? [];
  if (name === undefined || id === undefined) return null;
  if (childName === undefined || childId === undefined) return { id, name };
  return cascadingOption({ id, name }, { id: childId, name: childName });
}

function isInBrackets(text: string): boolean {
  return text.startsWith('[') && text.endsWith(']');
}

function withoutBrackets(text: string): string {
  return isInBrackets(text) ? text.slice(1, -1) : text;
}
