import type { Statistic } from '../model/request.ts';
import { type Cell, type Column, cellOf } from '../model/table.ts';
import type { Measured, ValueColumn } from './report-type.ts';
import { condense } from './statistics.ts';

/** A group of issues: the values they have in common, and what each value column holds of them. */
interface Group {
  readonly cells: Readonly<Record<string, Cell>>;
  issues: number;
  readonly values: Map<string, { readonly amounts: number[]; visits: number }>;
}

/** One group condensed: its own cells, a figure per value column, and the number of its issues. */
export interface CondensedGroup {
  readonly cells: Readonly<Record<string, Cell>>;
  readonly issueCount: number;
}

/** Takes one measured issue after the other and keeps only what a statistic needs. */
export interface GroupCollector {
  add(cells: Readonly<Record<string, Cell>>, measured: Measured): void;
  condensed(statistic: Statistic, columns: readonly ValueColumn[]): CondensedGroup[];
}

/** Issues whose group-by cells read alike are one group; without group-by columns all of them are. */
export function collectGroups(groupBy: readonly Column[]): GroupCollector {
  const groups = new Map<string, Group>();
  const ofAll = JSON.stringify([]);
  return {
    add(cells, { lines }) {
      const key =
        groupBy.length === 0 ? ofAll : JSON.stringify(groupBy.map(({ id }) => identityOf(cellOf(cells, id))));
      const group = groups.get(key) ?? { cells, issues: 0, values: new Map() };
      groups.set(key, group);
      group.issues += 1;
      for (const line of lines) {
        for (const [id, { value, visits = 0 }] of Object.entries(line)) {
          if (typeof value !== 'number') continue;
          const column = group.values.get(id);
          if (column === undefined) group.values.set(id, { amounts: [value], visits });
          else {
            column.amounts.push(value);
            column.visits += visits;
          }
        }
      }
    },
    condensed: (statistic, columns) =>
      [...groups.values()].map(({ cells, issues, values }) => {
        const figures = columns.flatMap(({ id }): [string, Cell][] => {
          const { amounts = [], visits = 0 } = values.get(id) ?? {};
          const value = condense(amounts, issues, statistic);
          return value === null ? [] : [[id, { value, visits }]];
        });
        return { cells: { ...cells, ...Object.fromEntries(figures) }, issueCount: issues };
      }),
  };
}

function identityOf(cell: Cell | undefined): unknown {
  return cell === undefined ? null : [cell.id ?? null, cell.value];
}
