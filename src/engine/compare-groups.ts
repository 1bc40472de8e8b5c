import { type Cells, type Column, cellOf } from '../model/table.ts';
import { compareCells } from './compare-cells.ts';

/** Order of groups: column by column, numbers by value, empty ones last. */
export function compareGroups(a: Cells, b: Cells, groupBy: readonly Column[]): number {
  for (const { id } of groupBy) {
    const order = compareCells(cellOf(a, id), cellOf(b, id));
    if (order !== 0) return order;
  }
  return 0;
}
