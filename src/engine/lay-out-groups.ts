import type { Statistic } from '../model/request.ts';
import type { Row } from '../model/table.ts';
import type { GroupCollector } from './collect-groups.ts';
import { compareGroups } from './compare-groups.ts';
import { createGroupNames } from './group-names.ts';
import type { BuiltTable, InTurns, Layout } from './layout.ts';
import type { ReportType } from './report-type.ts';
import { type SelectedColumns, withDistinctTitles } from './select-columns.ts';

/** A table with one line per group of issues, once all of them are collected. */
export async function layOutGroups(
  report: ReportType,
  layout: Layout,
  selected: SelectedColumns,
  { groups, statistic }: { readonly groups: GroupCollector; readonly statistic: Statistic },
  { map, sort }: InTurns,
): Promise<BuiltTable> {
  const shown = new Set(selected.columns.map((column) => column.id));
  const names = createGroupNames(layout.groupBy);
  const condensed = await map(
    groups.condensed((columnId) => shown.has(columnId)),
    (group) => {
      names.note(group.own);
      return group;
    },
  );
  const sorted = await sort(condensed, (a, b) => compareGroups(a.own, b.own, layout.groupBy));
  const rows = await map(sorted, (group): Row => ({ issueKey: null, ...group, own: names.told(group.own) }));
  return {
    columns: withDistinctTitles([...layout.groupBy, ...selected.columns]),
    issues: [],
    rows,
    statuses: selected.statuses,
    composite: report.composite,
    statistic,
  };
}
