import { compareIds, compareText } from '../issues/ids-and-names.ts';
import type { ValueColumn } from './report-type.ts';

/** Of columns about the same person: their own, then those of who stood in for them, by title. */
export function compareStandIns(a: ValueColumn, b: ValueColumn): number {
  if (a.standIn === undefined && b.standIn === undefined) return 0;
  return (
    Number(a.standIn !== undefined) - Number(b.standIn !== undefined) ||
    compareText(a.title.toLowerCase(), b.title.toLowerCase()) ||
    compareIds(a.id, b.id)
  );
}

/** Columns as they were met, but everybody's together with those of who stood in for them. */
export function besideOwners(met: readonly ValueColumn[]): readonly ValueColumn[] {
  if (met.every(({ standIn }) => standIn === undefined)) return met;
  const owners = new Map<string, number>();
  for (const [i, column] of met.entries()) if (!owners.has(ownerOf(column))) owners.set(ownerOf(column), i);
  const rank = (column: ValueColumn) => owners.get(ownerOf(column)) ?? met.length;
  return met.toSorted((a, b) => rank(a) - rank(b) || compareStandIns(a, b));
}

function ownerOf({ id, standIn }: ValueColumn): string {
  return standIn?.owner.id ?? id;
}
