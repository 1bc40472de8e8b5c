import { compareIds } from '../../issues/ids-and-names.ts';
import type { FieldContent, FieldValue, Instant } from '../../model/issue.ts';

export const SPRINT = 'customfield_10020';
export const STORY_POINTS = 'customfield_10016';

/** One field gets new content; `value` is how a change names that content. */
export interface Setting {
  readonly field: string;
  readonly value: FieldValue | null;
  readonly content: FieldContent;
}

/** What one person did at one instant: a changelog entry in the making. */
export interface Edit {
  readonly at: Instant;
  readonly by: string;
  readonly settings: readonly Setting[];
}

/** A field that holds one value or none. */
export function setValue(field: string, value: FieldValue | null): Setting {
  return { field, value, content: value };
}

/** A field that holds several values; a change names them joined and in order, as the engine joins a field's content. */
export function setValues(field: string, values: readonly FieldValue[]): Setting {
  const sorted = values.toSorted((a, b) => compareIds(a.id, b.id));
  const value = {
    id: sorted.map(({ id }) => id).join(', '),
    name: sorted.map(({ name }) => name).join(', '),
  };
  return { field, value: values.length === 0 ? null : value, content: values };
}

/** Labels are their own ids. */
export function setLabels(labels: readonly string[]): Setting {
  return setValues(
    'labels',
    labels.map((label) => ({ id: label, name: label })),
  );
}

/** A field that holds plain text or a plain number; empty is null. */
export function setPlain(field: string, content: string | number | null): Setting {
  return { field, value: content === null ? null : { id: String(content), name: String(content) }, content };
}
