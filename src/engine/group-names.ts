import { type Cell, type Cells, type Column, cellOf } from '../model/table.ts';

/** What the values of group columns are called, so that several of one name can be told apart. */
export interface GroupNames {
  note(own: Cells): void;
  /** The cells with the id behind each name that several values have. */
  told(own: Cells): Cells;
}

/** Notes first all that is to be told, and tells it then. Values without an id have nothing but their name. */
export function createGroupNames(groupBy: readonly Column[]): GroupNames {
  const idsOf = new Map(groupBy.map(({ id }) => [id, new Map<string, Set<string>>()]));
  return {
    note(own) {
      for (const [column, names] of idsOf) {
        const { value, id } = cellOf(own, column) ?? {};
        if (typeof value !== 'string' || id === undefined) continue;
        const ids = names.get(value);
        if (ids === undefined) names.set(value, new Set([id]));
        else ids.add(id);
      }
    },
    told(own) {
      const renamed: [string, Cell][] = [];
      for (const [column, names] of idsOf) {
        const cell = cellOf(own, column);
        if (typeof cell?.value !== 'string' || cell.id === undefined) continue;
        if ((names.get(cell.value)?.size ?? 0) < 2) continue;
        renamed.push([column, { ...cell, value: `${cell.value} (${cell.id})` }]);
      }
      return renamed.length === 0 ? own : { ...own, ...Object.fromEntries(renamed) };
    },
  };
}
