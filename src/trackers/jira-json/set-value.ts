import { compareIds } from '../../issues/ids-and-names.ts';
import type { FieldValue } from '../../model/issue.ts';

/** By id, for a set must read the same whatever order its elements came in and whatever they are called today. */
export function inStableOrder(values: readonly FieldValue[]): FieldValue[] {
  return values.toSorted((a, b) => compareIds(a.id, b.id));
}

/** Several values as one that reads as a list, joined as the engine joins a field's current content. */
export function joinValues(values: readonly FieldValue[]): FieldValue | null {
  if (values.length === 0) return null;
  const sorted = inStableOrder(values);
  return {
    id: sorted.map(({ id }) => id).join(', '),
    name: sorted.map(({ name }) => name).join(', '),
  };
}
