import type { Cell } from '../model/table.ts';
import type { Measured, ValueColumn } from './report-type.ts';

/** Sums up what belongs to the same column, in order of first meeting. */
export interface Tally {
  /** `visits` is how many visits the amount is made of. */
  add(column: ValueColumn, amount: number, visits: number): void;
  readonly measured: () => Pick<Measured, 'columns' | 'lines'>;
}

export function createTally(): Tally {
  const byId = new Map<string, { column: ValueColumn; amount: number; visits: number }>();
  return {
    add(column, amount, visits) {
      const entry = byId.get(column.id);
      if (entry === undefined) byId.set(column.id, { column, amount, visits });
      else {
        entry.amount += amount;
        entry.visits += visits;
      }
    },
    measured() {
      const cells: [string, Cell][] = [];
      const columns: ValueColumn[] = [];
      for (const { column, amount, visits } of byId.values()) {
        columns.push(column);
        cells.push([column.id, { value: amount, visits }]);
      }
      return { columns, lines: [Object.fromEntries(cells)] };
    },
  };
}
