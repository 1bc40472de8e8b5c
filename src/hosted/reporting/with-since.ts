import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import { type Cells, cellOf, type IssueFacts, type Table } from '../../model/table.ts';
import { runHostedReport } from './run-hosted-report.ts';
import type { TableSource } from './table-source.ts';

/** Whether it is worth asking: a whole list of time in status that shows the status, of a service that tells no more. */
export function lacksSince(request: ReportRequest, { learnt }: Pick<TableSource, 'learnt'>): boolean {
  const { statistic, page, trim, fields } = request;
  return (
    learnt.dialect() === 'product' &&
    request.reportType.toLowerCase() === 'statusduration' &&
    statistic === null &&
    page === null &&
    trim.from === null &&
    trim.to === null &&
    fields.includes('status')
  );
}

/**
 * The product tells where an issue is now, and not since when; of an instant before not even where. Both follow from when
 * it last came into each status, to the minute. Where those dates do not fit, neither is told.
 */
export async function withSince(source: TableSource, request: ReportRequest, table: Table): Promise<Table> {
  if (table.issues.length === 0) return table;
  const dates = await runHostedReport(source, {
    ...request,
    reportType: 'lastTransitionToStatusDate',
    fields: [],
    groupBy: [],
    statuses: null,
    consolidated: [],
    includeDeletedStatuses: true,
  });
  const entered = new Map(dates.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  const spent = new Map(table.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  const titles = new Map([...table.columns, ...dates.columns].map(({ id, title }) => [id, title]));
  const { asOf, askedAt } = table.provenance;
  const isPast = askedAt - asOf > millisecondsInMinute;
  const issues = table.issues.map((issue): IssueFacts => {
    const stay = stayOf(issue, {
      entered: entered.get(issue.key) ?? {},
      spent: spent.get(issue.key) ?? {},
      isPast,
      asOf,
    });
    const here = stay?.id ?? (isPast ? undefined : cellOf(issue.cells, 'status')?.id);
    if (here === undefined) {
      // What the tracker shows is of today.
      const { status: _, ...cells } = issue.cells;
      return isPast ? { ...issue, cells, current: [] } : issue;
    }
    const title = titles.get(here) ?? String(cellOf(issue.cells, 'status')?.value ?? here);
    const current = [{ columnId: here, title, since: stay?.since ?? null }];
    return isPast
      ? { ...issue, current, cells: { ...issue.cells, status: { value: title, id: here } } }
      : { ...issue, current };
  });
  const cells = new Map(issues.map((issue) => [issue.key, issue.cells]));
  return {
    ...table,
    issues,
    rows: table.rows.map((row) => ({ ...row, own: cells.get(row.issueKey ?? '') ?? row.own })),
  };
}

/** In which status an issue is, and since when; null where the dates do not tell. */
function stayOf(
  { cells, created }: IssueFacts,
  {
    entered,
    spent,
    isPast,
    asOf,
  }: { readonly entered: Cells; readonly spent: Cells; readonly isPast: boolean; readonly asOf: Instant },
): { readonly id: string; readonly since: Instant } | null {
  const shown = isPast ? undefined : cellOf(cells, 'status')?.id;
  const dates = Object.entries(entered).map(([id, { value }]) => ({ id, at: Number(value) }));
  // An entry after the instant hides earlier ones of that status.
  if (dates.some(({ at }) => at > asOf)) return null;
  if (dates.length === 0) {
    const [only, ...others] = Object.keys(spent);
    const isFirst = only !== undefined && others.length === 0 && (shown ?? only) === only;
    return isFirst ? { id: only, since: created } : null;
  }
  const latest = Math.max(...dates.map(({ at }) => at));
  const last = dates.filter(({ at }) => at === latest);
  const found = shown === undefined ? last : last.filter(({ id }) => id === shown);
  const [one, ...more] = found;
  return one === undefined || more.length > 0 ? null : { id: one.id, since: one.at };
}
