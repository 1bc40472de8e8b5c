import type { Issue } from '../model/issue.ts';
import type { Statistic } from '../model/request.ts';
import { collectGroups } from './collect-groups.ts';
import { createGroupNames } from './group-names.ts';
import { layOutGroups } from './lay-out-groups.ts';
import { layOutList } from './lay-out-list.ts';
import type { BuiltTable, Layout } from './layout.ts';
import { meetColumns } from './meet-columns.ts';
import { ownCells } from './own-cells.ts';
import type { MeasureContext, Measured, ReportType } from './report-type.ts';

/** Takes issues one after the other, so that whoever hands them in may pause between them, and lays out the answer. */
export interface TableBuilder {
  add(issue: Issue): void;
  build(): BuiltTable;
}

/** A table with one line per issue or visit, or, with a statistic, one per group of issues. */
export function createTableBuilder(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  statistic: Statistic | null,
): TableBuilder {
  return statistic === null
    ? listBuilder(report, context, layout)
    : groupBuilder(report, context, layout, statistic);
}

function listBuilder(report: ReportType, context: MeasureContext, layout: Layout): TableBuilder {
  const meeting = meetColumns(report, layout);
  const names = layout.names ?? createGroupNames(layout.groupBy);
  const measured: { readonly issue: Issue; readonly measured: Measured }[] = [];
  return {
    add(issue) {
      const one = report.measure(issue, context);
      meeting.meet(issue, one);
      measured.push({ issue, measured: one });
      if (layout.groupBy.length > 0) names.note(ownCells(issue, layout.groupBy, context));
    },
    build() {
      const { head, linesOf } = layOutList(report, context, layout, meeting.select(measured.length), names);
      const told = measured.map(({ issue, measured: one }) => linesOf(issue, one));
      return {
        ...head,
        issues: told.map((one) => one.facts),
        rows: told.flatMap((one) => one.rows),
      };
    },
  };
}

function groupBuilder(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  statistic: Statistic,
): TableBuilder {
  const meeting = meetColumns(report, layout);
  const groups = collectGroups(layout.groupBy, statistic);
  let issues = 0;
  return {
    add(issue) {
      const one = report.measure(issue, context);
      meeting.meet(issue, one);
      groups.add(ownCells(issue, layout.groupBy, context), one);
      issues += 1;
    },
    // One issue alone stands in a group as well: columns come in the order of groups.
    build: () => layOutGroups(report, layout, meeting.select(Math.max(issues, 2)), groups, statistic),
  };
}
