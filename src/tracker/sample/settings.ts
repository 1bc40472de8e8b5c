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

/** A field that holds several values; a change names them joined, as changelogs do. */
export function setValues(field: string, values: readonly FieldValue[], separator = ', '): Setting {
  const join = (texts: readonly string[]) => texts.join(separator);
  const value = { id: join(values.map(({ id }) => id)), name: join(values.map(({ name }) => name)) };
  return { field, value: values.length === 0 ? null : value, content: values };
}

/** Labels never contain spaces, so a space joins them. */
export function setLabels(labels: readonly string[]): Setting {
  return setValues(
    'labels',
    labels.map((label) => ({ id: label, name: label })),
    ' ',
  );
}

/** A field that holds plain text or a plain number; empty is null. */
export function setPlain(field: string, content: string | number | null): Setting {
  return { field, value: content === null ? null : { id: String(content), name: String(content) }, content };
}
