import type { Statistic } from '../model/request.ts';
import type { Row } from '../model/table.ts';
import type { GroupCollector } from './collect-groups.ts';
import { compareGroups } from './compare-groups.ts';
import { createGroupNames } from './group-names.ts';
import type { BuiltTable, Layout } from './layout.ts';
import type { ReportType } from './report-type.ts';
import { type SelectedColumns, withDistinctTitles } from './select-columns.ts';

/** A table with one line per group of issues, once all of them are collected. */
export function layOutGroups(
  report: ReportType,
  layout: Layout,
  selected: SelectedColumns,
  groups: GroupCollector,
  statistic: Statistic,
): BuiltTable {
  const shown = new Set(selected.columns.map((column) => column.id));
  const condensed = groups
    .condensed((columnId) => shown.has(columnId))
    .toSorted((a, b) => compareGroups(a.own, b.own, layout.groupBy));
  const names = createGroupNames(layout.groupBy);
  for (const { own } of condensed) names.note(own);
  const rows = condensed.map((group): Row => ({ issueKey: null, ...group, own: names.told(group.own) }));
  return {
    columns: withDistinctTitles([...layout.groupBy, ...selected.columns]),
    issues: [],
    rows,
    statuses: selected.statuses,
    composite: report.composite,
    statistic,
  };
}
