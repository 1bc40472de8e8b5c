import type { FieldValue } from '../../model/issue.ts';

/** Ids are numbers written as text in every Jira, so 9 comes before 10 and both before anything else. */
export function compareIds(a: string, b: string): number {
  const numeric = /^\d+$/;
  const [aNumeric, bNumeric] = [numeric.test(a), numeric.test(b)];
  if (aNumeric !== bNumeric) return aNumeric ? -1 : 1;
  return (aNumeric ? a.length - b.length : 0) || (a < b ? -1 : a > b ? 1 : 0);
}

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
