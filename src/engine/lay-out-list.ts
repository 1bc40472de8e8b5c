import type { Issue } from '../model/issue.ts';
import type { Cells, IssueFacts, Row } from '../model/table.ts';
import type { GroupNames } from './group-names.ts';
import type { BuiltTable, Layout } from './layout.ts';
import { headerColumns, ownCells } from './own-cells.ts';
import type { MeasureContext, Measured, ReportType } from './report-type.ts';
import { type SelectedColumns, withDistinctTitles } from './select-columns.ts';

/** What a list shows, and how each of its issues is told. */
export interface ListLayout {
  readonly head: Omit<BuiltTable, 'issues' | 'rows'>;
  linesOf(issue: Issue, measured: Measured): { readonly facts: IssueFacts; readonly rows: readonly Row[] };
}

/** A list with one line per issue or visit, once it is known which columns there are, and which groups. */
export function layOutList(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  selected: SelectedColumns,
  names: GroupNames,
): ListLayout {
  const own = [...headerColumns, ...layout.groupBy, ...layout.fields];
  return {
    head: {
      columns: withDistinctTitles([...own, ...selected.columns]),
      statuses: selected.statuses,
      composite: report.composite,
      statistic: null,
    },
    linesOf(issue, measured) {
      const cells = names.told(ownCells(issue, own, context));
      const states = measured.states === undefined ? {} : { states: measured.states };
      const rows = measured.lines.map(
        (line): Row => ({
          issueKey: issue.key,
          own: cells,
          cells: visible(line, selected.hidden),
          ...states,
        }),
      );
      return { facts: factsOf(issue, measured, cells, leftOut(measured, selected)), rows };
    },
  };
}

function visible(line: Cells, hidden: ReadonlySet<string>): Cells {
  if (hidden.size === 0) return line;
  return Object.fromEntries(Object.entries(line).filter(([id]) => !hidden.has(id)));
}

/** Names of the statuses the issue was in that are left out because they are gone, each once. */
function leftOut({ columns, statuses = [] }: Measured, selected: SelectedColumns): string[] {
  const met = new Set(columns.map((column) => column.id));
  return [
    ...new Set([
      ...selected.leftOut.filter(({ columnId }) => met.has(columnId)).map(({ status }) => status),
      ...statuses.filter(selected.isAside).map(({ name }) => name),
    ]),
  ];
}

function factsOf(
  issue: Issue,
  { current, unknown, contradictions }: Measured,
  cells: Cells,
  missing: readonly string[],
): IssueFacts {
  const { key, created, history, link = null } = issue;
  return { key, cells, link, created, current, history, unknown, contradictions, leftOut: missing };
}
