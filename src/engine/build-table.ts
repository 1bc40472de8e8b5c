import type { Issue } from '../model/issue.ts';
import type { Statistic } from '../model/request.ts';
import { collectGroups } from './collect-groups.ts';
import { createGroupNames } from './group-names.ts';
import { layOutGroups } from './lay-out-groups.ts';
import { layOutList } from './lay-out-list.ts';
import type { BuiltTable, InTurns, Layout } from './layout.ts';
import { meetColumns } from './meet-columns.ts';
import { ownCells } from './own-cells.ts';
import type { MeasureContext, Measured, ReportType } from './report-type.ts';

/** Takes issues one after the other, so that whoever hands them in may pause between them, and lays out the answer. */
export interface TableBuilder {
  add(issue: Issue): void;
  /** How large the table is by now. */
  readonly size: () => TableSize;
  /** How many value columns are to be shown by now. */
  readonly shown: () => number;
  build(turns: InTurns): Promise<BuiltTable>;
}

/** Lines, of a list issues, and at most so many value columns: some that came up may not be shown. */
export interface TableSize {
  readonly lines: number;
  readonly columns: number;
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
    size: () => ({ lines: measured.length, columns: meeting.size() }),
    shown: () => meeting.select(measured.length).columns.length,
    async build({ map }) {
      const { head, linesOf } = layOutList(report, context, layout, meeting.select(measured.length), names);
      const told = await map(measured, ({ issue, measured: one }) => linesOf(issue, one));
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
    size: () => ({ lines: groups.size(), columns: meeting.size() }),
    shown: () => meeting.select(Math.max(issues, 2)).columns.length,
    // One issue alone stands in a group as well: columns come in the order of groups.
    build: (turns) =>
      layOutGroups(report, layout, meeting.select(Math.max(issues, 2)), { groups, statistic }, turns),
  };
}
