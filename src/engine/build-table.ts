import type { Issue, Status } from '../model/issue.ts';
import type { Cell, Column, IssueFacts, MetStatuses, Row, Table } from '../model/table.ts';
import type { MeasureContext, Measured, ReportType } from './report-type.ts';
import { currentValue, timeline } from './timeline.ts';

/** The asker's choice of columns. `statuses` null: every status met. */
export interface Layout {
  readonly fields: readonly Column[];
  readonly statuses: readonly string[] | null;
  readonly includeDeletedStatuses: boolean;
  /** Every status the tracker knows or ever told about, by id. */
  readonly knownStatuses: ReadonlyMap<string, Status>;
}

/** Issues → the neutral table; the caller adds where the figures come from. */
export function buildTable(
  issues: readonly Issue[],
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
): Omit<Table, 'provenance'> {
  const measured = issues.map((issue) => ({ issue, measured: report.measure(issue, context) }));
  const met = meet(
    measured.map((one) => one.measured),
    report,
    layout,
  );
  const { columns: valueColumns, statuses } = select(met, measured, report, layout);
  const columns = [keyColumn, summaryColumn, ...layout.fields, ...valueColumns];
  const shown = new Set(valueColumns.map((column) => column.id));
  const hidden = new Set(met.map((column) => column.id).filter((id) => !shown.has(id)));
  const told = measured.map(({ issue, measured: one }) => {
    const cells = headerCells(issue, context, layout);
    const { current, unknown, contradictions } = one;
    const { key, created, history } = issue;
    const facts: IssueFacts = {
      key,
      cells,
      link: issue.link ?? null,
      created,
      current,
      history,
      unknown,
      contradictions,
    };
    const rows = one.lines.map((line): Row => {
      const visible = Object.entries(line).filter(([id]) => !hidden.has(id));
      return { issueKey: key, cells: { ...cells, ...Object.fromEntries(visible) } };
    });
    return { facts, rows };
  });
  return {
    columns: withDistinctTitles(columns),
    issues: told.map((one) => one.facts),
    rows: told.flatMap((one) => one.rows),
    statuses,
  };
}

const keyColumn: Column = { id: 'issuekey', title: 'Key', kind: 'text', part: 'header' };
const summaryColumn: Column = { id: 'summary', title: 'Summary', kind: 'text', part: 'header' };

function headerCells(issue: Issue, context: MeasureContext, layout: Layout): Record<string, Cell> {
  const cells: Record<string, Cell> = { issuekey: { value: issue.key } };
  for (const column of [summaryColumn, ...layout.fields]) {
    const cell = fieldCell(issue, column, context);
    if (cell !== null) cells[column.id] = cell;
  }
  return cells;
}

/** What the field held at the as-of instant; an instant that still lay ahead then is not told. */
function fieldCell(issue: Issue, { id, kind }: Column, context: MeasureContext): Cell | null {
  if (kind === 'instant') {
    const at = issue.fields[id];
    return typeof at === 'number' && at <= context.asOf ? { value: at } : null;
  }
  const last = timeline(issue, id, context.asOf).visits.at(-1);
  // Where the history is cut off, what the tracker showed last is still what it shows.
  const seen = last?.known === false && context.asOf >= issue.updated;
  const value = seen ? currentValue(issue, id) : last?.value;
  return value ? { value: context.nameOf(id, value), id: value.id } : null;
}

/** The value columns of all issues, each once, in order of first meeting; asked-for statuses nobody met included. */
function meet(measured: readonly Measured[], report: ReportType, layout: Layout): Column[] {
  const byId = new Map<string, Column>();
  for (const column of measured.flatMap((one) => one.columns)) {
    if (!byId.has(column.id)) byId.set(column.id, column);
  }
  if (report.byStatus && report.shape === 'issue') {
    for (const id of layout.statuses ?? []) {
      const status = layout.knownStatuses.get(id);
      if (status !== undefined && !byId.has(id)) {
        byId.set(id, { id, title: status.name, kind: 'duration', part: 'value' });
      }
    }
  }
  return [...byId.values()];
}

function select(
  met: readonly Column[],
  measured: readonly { readonly measured: Measured }[],
  report: ReportType,
  layout: Layout,
): { columns: readonly Column[]; statuses: MetStatuses } {
  const statusOf = (id: string, name: string): Status =>
    layout.knownStatuses.get(id) ?? { id, name, category: 'Undefined', deleted: false };
  if (!report.byStatus) return { columns: met, statuses: { included: [], excluded: [], deleted: [] } };
  if (report.shape === 'visit') {
    const visited = measured.flatMap((one) => one.measured.lines).flatMap((line) => line.value ?? []);
    const byId = new Map(visited.map(({ id = '', value }) => [id, statusOf(id, String(value))]));
    const included = [...byId.values()];
    return {
      columns: met,
      statuses: { included, excluded: [], deleted: included.filter((status) => status.deleted) },
    };
  }
  const of = (column: Column) => statusOf(column.id, column.title);
  const chosen = (column: Column) => layout.statuses === null || layout.statuses.includes(column.id);
  const alive = (column: Column) => layout.includeDeletedStatuses || !of(column).deleted;
  const columns = met.filter((column) => chosen(column) && alive(column));
  return {
    columns: columns.map((column) => scoped(column, of(column))),
    statuses: {
      included: columns.map(of),
      excluded: met.filter((column) => !chosen(column)).map(of),
      deleted: met.map(of).filter((status) => status.deleted),
    },
  };
}

/** A status of a team-managed project reads "Doing (PRJ)", as people see it in the product we are compatible with. */
function scoped(column: Column, status: Status): Column {
  return status.scope === undefined ? column : { ...column, title: `${column.title} (${status.scope})` };
}

/** Outputs keyed by title must not lose a column, so a title that stands already gets its id behind it. */
function withDistinctTitles(columns: readonly Column[]): Column[] {
  const count = new Map<string, number>();
  for (const { title } of columns) count.set(title, (count.get(title) ?? 0) + 1);
  return columns.map((column) =>
    column.part === 'value' && (count.get(column.title) ?? 0) > 1
      ? { ...column, title: `${column.title} (${column.id})` }
      : column,
  );
}
