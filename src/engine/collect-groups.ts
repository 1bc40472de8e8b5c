import type { Statistic } from '../model/request.ts';
import { type Cell, type Cells, type Column, cellOf } from '../model/table.ts';
import { type Amounts, createAmounts } from './amounts.ts';
import type { Measured } from './report-type.ts';

/** A group of issues: the values they have in common, and what each value column holds of them. */
interface Group {
  own: Cells;
  issues: number;
  /** Issues of whose time a part is unknown. */
  uncertain: number;
  readonly columns: Map<string, GroupColumn>;
}

interface GroupColumn {
  readonly amounts: Amounts;
  /** Null where the report type counts no visits. */
  visits: number | null;
  uncertain: number;
}

/** One group condensed: what its issues have in common, a figure per value column, and their number. */
interface CondensedGroup {
  readonly own: Cells;
  readonly cells: Cells;
  readonly issueCount: number;
}

/** Takes one measured issue after the other and keeps only what a statistic needs. */
export interface GroupCollector {
  add(own: Cells, measured: Measured): void;
  /** How many groups there are by now. */
  readonly size: () => number;
  /** One group after the other; of value columns those that are to be shown. */
  condensed(isShown: (columnId: string) => boolean): Iterable<CondensedGroup>;
}

/** Issues whose group-by cells mean the same are one group; without group-by columns all of them are. */
export function collectGroups(groupBy: readonly Column[], statistic: Statistic): GroupCollector {
  const groups = new Map<string, Group>();
  const ofAll = JSON.stringify([]);
  return {
    add(own, { lines, unknown }) {
      const key =
        groupBy.length === 0 ? ofAll : JSON.stringify(groupBy.map(({ id }) => identityOf(cellOf(own, id))));
      const group = groups.get(key) ?? { own, issues: 0, uncertain: 0, columns: new Map() };
      groups.set(key, group);
      const uncertain = Number(unknown !== null);
      group.issues += 1;
      group.uncertain += uncertain;
      for (const line of lines) {
        for (const id in line) {
          const { value, visits } = line[id] ?? {};
          if (typeof value !== 'number') continue;
          const column = group.columns.get(id) ?? {
            amounts: createAmounts(statistic),
            visits: null,
            uncertain: 0,
          };
          group.columns.set(id, column);
          column.amounts.add(value);
          if (visits !== undefined) column.visits = (column.visits ?? 0) + visits;
          column.uncertain += uncertain;
        }
      }
    },
    size: () => groups.size,
    *condensed(isShown) {
      for (const group of groups.values()) {
        const cells: Record<string, Cell> = {};
        for (const [id, { amounts, visits, uncertain }] of group.columns) {
          if (!isShown(id)) continue;
          // Whether an issue with unknown time was there nobody can tell: it is no zero.
          const value = amounts.condense(group.issues - (group.uncertain - uncertain));
          if (value !== null) cells[id] = visits === null ? { value } : { value, visits };
        }
        yield { own: group.own, cells, issueCount: group.issues };
      }
    },
  };
}

/** By id where there is one: a person or a value may have been renamed. */
function identityOf(cell: Cell | undefined): unknown {
  return cell === undefined ? null : (cell.id ?? [cell.value]);
}
