import type { Instant, Issue } from '../model/issue.ts';
import type { Cell, Column, IssueFacts, Row, Table } from '../model/table.ts';
import { isVouched } from './is-vouched.ts';
import type { MeasureContext, Measured, ReportType } from './report-type.ts';
import { type ColumnChoice, selectColumns, withDistinctTitles } from './select-columns.ts';
import { currentValue, timeline } from './timeline.ts';

/** The asker's choice of columns. */
export interface Layout extends Omit<ColumnChoice, 'strange'> {
  readonly fields: readonly Column[];
}

/** Issues → the neutral table; the caller adds where the figures come from. */
export function buildTable(
  issues: readonly Issue[],
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
): Omit<Table, 'provenance'> {
  const measured = issues.map((issue) => ({ issue, measured: report.measure(issue, context) }));
  const selected = selectColumns(
    measured.map((one) => one.measured),
    report,
    { ...layout, strange: idsOfStrangers(measured, layout) },
  );
  const columns = [keyColumn, summaryColumn, ...layout.fields, ...selected.columns];
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
      leftOut: selected.leftOut
        .filter((column) => one.lines.some((line) => Object.hasOwn(line, column.id)))
        .map((column) => column.title),
    };
    const rows = one.lines.map((line): Row => {
      const visible = Object.entries(line).filter(([id]) => !selected.hidden.has(id));
      return { issueKey: key, cells: { ...cells, ...Object.fromEntries(visible) } };
    });
    return { facts, rows };
  });
  return {
    columns: withDistinctTitles(columns),
    issues: told.map((one) => one.facts),
    rows: told.flatMap((one) => one.rows),
    statuses: selected.statuses,
  };
}

/** Status ids met by issues of which the known lists of statuses do not speak, as columns or visit by visit. */
function idsOfStrangers(
  measured: readonly { readonly issue: Issue; readonly measured: Measured }[],
  { knownStatuses }: Layout,
): ReadonlySet<string> {
  const strangers = measured.filter(({ issue }) => !isVouched(issue, knownStatuses));
  return new Set(
    strangers.flatMap(({ measured: { columns, lines } }) => [
      ...columns.map((column) => column.id),
      ...lines.flatMap((line) => line.value?.id ?? []),
    ]),
  );
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
    const at = id === 'updated' ? updatedBy(issue, context.asOf) : issue.fields[id];
    return typeof at === 'number' && at <= context.asOf ? { value: at } : null;
  }
  const last = timeline(issue, id, context.asOf).visits.at(-1);
  // Where the history is cut off, what the tracker showed last is still what it shows.
  const seen = last?.known === false && context.asOf >= issue.updated;
  const value = seen ? currentValue(issue, id) : last?.value;
  return value ? { value: context.nameOf(issue, id, value), id: value.id } : null;
}

/** When the issue was last changed as far as was known at an instant. */
function updatedBy({ created, updated, changes }: Issue, asOf: Instant): Instant {
  if (updated <= asOf) return updated;
  return changes.reduce((latest, { at }) => (at <= asOf ? Math.max(latest, at) : latest), created);
}
