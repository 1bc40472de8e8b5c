import type { FieldValue, Issue, Status } from '../model/issue.ts';
import type { ObservedStatuses } from '../model/table.ts';
import { isVouched } from './is-vouched.ts';
import type { Layout } from './layout.ts';
import type { Measured, ReportType, ValueColumn } from './report-type.ts';
import { describeStatus, type SelectedColumns, selectColumns } from './select-columns.ts';

/** Notes which columns and statuses come up while one issue after the other is measured. */
interface Meeting {
  meet(issue: Issue, measured: Measured): void;
  /** How many columns came up; of these no more are shown. */
  readonly size: () => number;
  /** What is to be shown of all that came up, by so many issues. */
  select(issues: number): SelectedColumns;
}

export function meetColumns(report: ReportType, layout: Layout): Meeting {
  const met = new Map<string, ValueColumn>();
  const strange = new Set<string>();
  const vouchedFor = new Set<string>();
  const others = new Map<string, FieldValue>();
  const visited = new Map<string, FieldValue>();
  return {
    meet(issue, { columns, lines, statuses = [] }) {
      const stranger = !isVouched(issue, layout.knownStatuses);
      const note = (id: string) => {
        if (!stranger) vouchedFor.add(id);
        if (stranger && !vouchedFor.has(id)) strange.add(id);
        else strange.delete(id);
      };
      for (const column of columns) {
        if (!met.has(column.id)) met.set(column.id, column);
        for (const { id } of column.statuses) note(id);
      }
      for (const status of statuses) {
        others.set(status.id, status);
        note(status.id);
      }
      if (report.shape !== 'visit') return;
      for (const { value } of lines) {
        note(value?.id ?? '');
        if (value !== undefined)
          visited.set(value.id ?? '', { id: value.id ?? '', name: String(value.value) });
      }
    },
    size: () => met.size,
    select(issues) {
      const choice = { ...layout, strange, asMet: issues === 1 };
      const selected = selectColumns([...met.values()], [...others.values()], report, choice);
      if (report.shape !== 'visit') return selected;
      const statusOf = describeStatus({ ...layout, strange });
      return { ...selected, statuses: visitedStatuses(report, [...visited.values()].map(statusOf)) };
    },
  };
}

/** The statuses of a visit-by-visit report stand in its lines; all of them are shown. */
function visitedStatuses(report: ReportType, visited: readonly Status[]): ObservedStatuses {
  const included = report.levels.includes('status') ? visited : [];
  return { included, excluded: [], deleted: included.filter((status) => status.deleted) };
}
