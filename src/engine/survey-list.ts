import type { Issue } from '../model/issue.ts';
import type { Statistic } from '../model/request.ts';
import type { TableSize } from './build-table.ts';
import { collectGroups } from './collect-groups.ts';
import { createGroupNames } from './group-names.ts';
import { layOutGroups } from './lay-out-groups.ts';
import { type ListLayout, layOutList } from './lay-out-list.ts';
import type { BuiltTable, InTurns, Layout } from './layout.ts';
import { meetColumns } from './meet-columns.ts';
import { ownCells } from './own-cells.ts';
import type { MeasureContext, ReportType } from './report-type.ts';

/** What a look at every issue tells: the head of the list, and the statistics whole. */
interface SurveyedList extends Pick<ListLayout, 'head'> {
  readonly hasUnknown: boolean;
  readonly statistics: readonly BuiltTable[];
  /** The lines of an issue that was looked at, measured anew. */
  linesOf(issue: Issue): ReturnType<ListLayout['linesOf']>;
}

/** Looks at issues one after the other and keeps none of their lines, however many there are. */
interface ListSurvey {
  add(issue: Issue): void;
  /** How large the tables of the statistics are by now. */
  readonly size: () => TableSize;
  /** How many value columns they show by now. */
  readonly shown: () => number;
  done(turns: InTurns): Promise<SurveyedList>;
}

/**
 * A list that is told line by line needs two rounds: which columns there are, and which figures stand for all issues,
 * is known only when each issue has been seen.
 */
export function surveyList(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  statistics: readonly Statistic[],
): ListSurvey {
  const meeting = meetColumns(report, layout);
  const collectors = statistics.map((statistic) => ({
    statistic,
    groups: collectGroups(layout.groupBy, statistic),
  }));
  const names = createGroupNames(layout.groupBy);
  let issues = 0;
  let hasUnknown = false;
  return {
    add(issue) {
      const measured = report.measure(issue, context);
      meeting.meet(issue, measured);
      hasUnknown ||= measured.unknown !== null;
      issues += 1;
      if (collectors.length + layout.groupBy.length === 0) return;
      const own = ownCells(issue, layout.groupBy, context);
      names.note(own);
      for (const { groups } of collectors) groups.add(own, measured);
    },
    size: () => ({ lines: collectors[0]?.groups.size() ?? 0, columns: meeting.size() }),
    shown: () => meeting.select(Math.max(issues, 2)).columns.length,
    async done(turns) {
      const { head, linesOf } = layOutList(report, context, layout, meeting.select(issues), names);
      const selected = meeting.select(Math.max(issues, 2));
      const tables: BuiltTable[] = [];
      for (const one of collectors) tables.push(await layOutGroups(report, layout, selected, one, turns));
      return {
        head,
        hasUnknown,
        statistics: tables,
        linesOf: (issue) => linesOf(issue, report.measure(issue, context)),
      };
    },
  };
}
