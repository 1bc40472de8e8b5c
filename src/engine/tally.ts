import type { Cell } from '../model/table.ts';
import type { Measured, ValueColumn } from './report-type.ts';
import type { Visit } from './timeline.ts';

/** Sums up what belongs to the same column, in order of first meeting. */
interface Tally {
  /** `visits` is how many visits the amount is made of. */
  add(column: ValueColumn, amount: number, visits: number): void;
  /** The amount is a part of a visit, which counts once in the column: its parts come one after the other. */
  addPart(column: ValueColumn, amount: number, visit: Visit): void;
  /** The column was met, but nobody can tell how much belongs to it. */
  meet(column: ValueColumn): void;
  readonly measured: () => Pick<Measured, 'columns' | 'lines'>;
}

interface Entry {
  readonly column: ValueColumn;
  amount: number;
  visits: number;
  told: boolean;
  /** The visit of which a part was added last. */
  visit: Visit | null;
}

export function createTally(): Tally {
  const byId = new Map<string, Entry>();
  return {
    add(column, amount, visits) {
      const entry = byId.get(column.id);
      if (entry === undefined) byId.set(column.id, { column, amount, visits, told: true, visit: null });
      else {
        entry.amount += amount;
        entry.visits += visits;
      }
    },
    addPart(column, amount, visit) {
      const entry = byId.get(column.id);
      if (entry === undefined) byId.set(column.id, { column, amount, visits: 1, told: true, visit });
      else {
        entry.amount += amount;
        if (entry.visit !== visit) entry.visits += 1;
        entry.visit = visit;
      }
    },
    meet(column) {
      const entry = byId.get(column.id);
      if (entry === undefined)
        byId.set(column.id, { column, amount: 0, visits: 0, told: false, visit: null });
      else entry.told = false;
    },
    measured() {
      const cells: Record<string, Cell> = {};
      const columns: ValueColumn[] = [];
      for (const { column, amount, visits, told } of byId.values()) {
        columns.push(column);
        if (told) cells[column.id] = { value: amount, visits };
      }
      return { columns, lines: [cells] };
    },
  };
}
