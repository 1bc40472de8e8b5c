import type { Cell, Cells } from '../../src/model/table.ts';
import type { HistoryVisit } from './history.ts';
import type { DefinedColumn } from './question.ts';

/** An amount that belongs to a column: of a visit, or of a part of one. */
export interface Entry {
  readonly column: DefinedColumn;
  readonly amount: number;
  /** The visit that the amount is a part of: it counts once in a column, however many parts of it belong there. */
  readonly of: HistoryVisit | object;
}

/** The columns of some entries in order of first entry, and their cells: the sum of the amounts, and the number of visits. */
export function addedUp(entries: readonly Entry[]): { columns: readonly DefinedColumn[]; cells: Cells } {
  const columns = distinctColumns(entries.map(({ column }) => column));
  const cellOf = (column: DefinedColumn): Cell => {
    const own = entries.filter((entry) => entry.column.id === column.id);
    return {
      value: own.reduce((sum, { amount }) => sum + amount, 0),
      visits: new Set(own.map(({ of }) => of)).size,
    };
  };
  return { columns, cells: Object.fromEntries(columns.map((column) => [column.id, cellOf(column)])) };
}

/** Each column once, in order of its first occurrence. */
export function distinctColumns(columns: readonly DefinedColumn[]): readonly DefinedColumn[] {
  return columns.filter((column, i) => columns.findIndex(({ id }) => id === column.id) === i);
}
