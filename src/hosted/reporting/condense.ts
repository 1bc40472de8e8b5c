import { collectGroups, compareGroups } from '../../engine/collect-groups.ts';
import type { Statistic } from '../../model/request.ts';
import { type Column, cellOf, type Table } from '../../model/table.ts';

/**
 * A list condensed here, by the rules of our own engine. `groupBy` are fields that the list shows, as columns or as
 * groups.
 */
export function condense(list: Table, groupBy: readonly string[], statistic: Statistic): Table {
  const grouping = groupBy.flatMap((id): Column[] => {
    const column = list.columns.find((one) => one.id === id && one.part !== 'value');
    return column === undefined ? [] : [{ ...column, part: 'group' }];
  });
  const values = list.columns.filter((column) => column.part === 'value');
  const unknown = new Map(list.issues.map((issue) => [issue.key, issue.unknown]));
  const groups = collectGroups(grouping, statistic);
  for (const { issueKey, own, cells } of list.rows) {
    const kept = Object.fromEntries(
      grouping.flatMap(({ id }) => {
        const cell = cellOf(own, id);
        return cell === undefined ? [] : [[id, cell]];
      }),
    );
    groups.add(kept, {
      columns: [],
      lines: [cells],
      current: [],
      unknown: unknown.get(issueKey ?? '') ?? null,
      contradictions: 0,
    });
  }
  const shown = new Set(values.map(({ id }) => id));
  const rows = [...groups.condensed((id) => shown.has(id))]
    .sort((a, b) => compareGroups(a.own, b.own, grouping))
    .map((group) => ({ issueKey: null, ...group }));
  return { ...list, columns: [...grouping, ...values], issues: [], rows, statistic, page: null };
}
