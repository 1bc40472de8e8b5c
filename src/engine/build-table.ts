import type { FieldValue, Issue } from '../model/issue.ts';
import type { Statistic } from '../model/request.ts';
import type { Cell, Column, IssueFacts, MetStatuses, Row, Table } from '../model/table.ts';
import { cellOf } from '../model/table.ts';
import { collectGroups } from './collect-groups.ts';
import { compareCells } from './compare-cells.ts';
import { fieldCell } from './field-cell.ts';
import { isVouched } from './is-vouched.ts';
import type { MeasureContext, Measured, ReportType, ValueColumn } from './report-type.ts';
import { type ColumnChoice, describeStatus, selectColumns, withDistinctTitles } from './select-columns.ts';

/** The asker's choice of columns. */
export interface Layout extends Omit<ColumnChoice, 'strange' | 'asMet'> {
  readonly fields: readonly Column[];
  readonly groupBy: readonly Column[];
}

/** The neutral answer but for where it comes from and which page it is. */
export type BuiltTable = Omit<Table, 'provenance' | 'page'>;

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
  const met = new Map<string, ValueColumn>();
  const strange = new Set<string>();
  const vouchedFor = new Set<string>();
  const others = new Map<string, FieldValue>();
  const meet = (issue: Issue, { columns, lines, statuses = [] }: Measured) => {
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
    if (report.shape === 'visit') for (const line of lines) note(line.value?.id ?? '');
  };
  const select = (issues: number) => {
    const choice = { ...layout, strange, asMet: issues === 1 };
    return selectColumns([...met.values()], [...others.values()], report, choice);
  };
  return statistic === null
    ? listBuilder(report, context, layout, { meet, select, strange })
    : groupBuilder(report, context, layout, { meet, select, statistic });
}

interface Meeting {
  readonly meet: (issue: Issue, measured: Measured) => void;
  readonly select: (issues: number) => ReturnType<typeof selectColumns>;
}

function listBuilder(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  { meet, select, strange }: Meeting & { readonly strange: ReadonlySet<string> },
): TableBuilder {
  const measured: { readonly issue: Issue; readonly measured: Measured }[] = [];
  return {
    add(issue) {
      const one = report.measure(issue, context);
      meet(issue, one);
      measured.push({ issue, measured: one });
    },
    build() {
      const selected = select(measured.length);
      const own = [keyColumn, summaryColumn, ...layout.groupBy, ...layout.fields];
      const told = measured.map(({ issue, measured: one }) => {
        const cells = ownCells(issue, own, context);
        const met = new Set(one.columns.map((column) => column.id));
        const leftOut = [
          ...selected.leftOut.filter(({ columnId }) => met.has(columnId)).map(({ status }) => status),
          ...(one.statuses ?? []).filter(selected.isAside).map(({ name }) => name),
        ];
        const rows = one.lines.map((line): Row => {
          const visible =
            selected.hidden.size === 0
              ? line
              : Object.fromEntries(Object.entries(line).filter(([id]) => !selected.hidden.has(id)));
          const states = one.states === undefined ? {} : { states: one.states };
          return { issueKey: issue.key, own: cells, cells: visible, ...states };
        });
        return { facts: factsOf(issue, one, cells, [...new Set(leftOut)]), rows };
      });
      return {
        columns: withDistinctTitles([...own, ...selected.columns]),
        issues: told.map((one) => one.facts),
        rows: told.flatMap((one) => one.rows),
        statuses:
          report.shape === 'visit' ? visitedStatuses(measured, report, layout, strange) : selected.statuses,
        composite: report.composite,
        statistic: null,
      };
    },
  };
}

function groupBuilder(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  { meet, select, statistic }: Meeting & { readonly statistic: Statistic },
): TableBuilder {
  const groups = collectGroups(layout.groupBy, statistic);
  let issues = 0;
  return {
    add(issue) {
      const one = report.measure(issue, context);
      meet(issue, one);
      groups.add(ownCells(issue, layout.groupBy, context), one);
      issues += 1;
    },
    build() {
      const selected = select(Math.max(issues, 2));
      const visible = new Set(selected.columns.map((column) => column.id));
      const rows = groups
        .condensed((columnId) => visible.has(columnId))
        .toSorted((a, b) => compareGroups(a.own, b.own, layout.groupBy))
        .map((group): Row => ({ issueKey: null, ...group }));
      return {
        columns: withDistinctTitles([...layout.groupBy, ...selected.columns]),
        issues: [],
        rows,
        statuses: selected.statuses,
        composite: report.composite,
        statistic,
      };
    },
  };
}

/** Order of groups: column by column, numbers by value, empty ones last. */
export function compareGroups(
  a: Readonly<Record<string, Cell>>,
  b: Readonly<Record<string, Cell>>,
  groupBy: readonly Column[],
): number {
  for (const { id } of groupBy) {
    const order = compareCells(cellOf(a, id), cellOf(b, id));
    if (order !== 0) return order;
  }
  return 0;
}

function factsOf(
  issue: Issue,
  { current, unknown, contradictions }: Measured,
  cells: Readonly<Record<string, Cell>>,
  leftOut: readonly string[],
): IssueFacts {
  const { key, created, history, link = null } = issue;
  return { key, cells, link, created, current, history, unknown, contradictions, leftOut };
}

/** The statuses of a visit-by-visit report stand in its lines; all of them are shown. */
function visitedStatuses(
  measured: readonly { readonly measured: Measured }[],
  report: ReportType,
  layout: Layout,
  strange: ReadonlySet<string>,
): MetStatuses {
  if (!report.levels.includes('status')) return { included: [], excluded: [], deleted: [] };
  const statusOf = describeStatus({ ...layout, strange });
  const visited = measured.flatMap(({ measured: { lines } }) => lines.flatMap((line) => line.value ?? []));
  const byId = new Map(visited.map(({ id = '', value }) => [id, statusOf({ id, name: String(value) })]));
  const included = [...byId.values()];
  return { included, excluded: [], deleted: included.filter((status) => status.deleted) };
}

const keyColumn: Column = { id: 'issuekey', title: 'Key', kind: 'text', part: 'header' };
const summaryColumn: Column = { id: 'summary', title: 'Summary', kind: 'text', part: 'header' };

/** The cells an issue has whatever the report type. */
export function ownCells(
  issue: Issue,
  columns: readonly Column[],
  context: MeasureContext,
): Record<string, Cell> {
  const cells: [string, Cell][] = [];
  for (const column of columns) {
    const cell = column === keyColumn ? { value: issue.key } : fieldCell(issue, column, context);
    if (cell !== null) cells.push([column.id, cell]);
  }
  return Object.fromEntries(cells);
}
