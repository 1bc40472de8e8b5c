import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import type { ReportRequest } from '../model/request.ts';
import { type Cells, cellOf, type IssueFacts, type Table } from '../model/table.ts';
import { wholeList } from './hosted-lists.ts';
import type { ReportSource } from './report-source.ts';

/** Whether it is worth a second list: a whole list of time in status that shows the status. */
export function lacksSince(request: ReportRequest): boolean {
  const { trim, fields, reportType } = request;
  const isTrimmed = trim.from !== null || trim.to !== null;
  return !isTrimmed && fields.includes('status') && reportType.toLowerCase() === 'statusduration';
}

/**
 * The product says where an issue is now, and not since when; of a past instant not even where. Both follow from when it
 * last came into each status, to the minute. Where those dates do not fit, neither is given.
 */
export async function withSince(source: ReportSource, request: ReportRequest, table: Table): Promise<Table> {
  if (table.issues.length === 0) return table;
  const dates = await wholeList(source, {
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
    const found = currentStatus(issue, {
      entered: entered.get(issue.key) ?? {},
      spent: spent.get(issue.key) ?? {},
      isPast,
      asOf,
    });
    const here = found?.id ?? (isPast ? undefined : cellOf(issue.cells, 'status')?.id);
    if (here === undefined) {
      // The tracker shows the status of today.
      const { status: _, ...cells } = issue.cells;
      return isPast ? { ...issue, cells, current: [] } : issue;
    }
    const title = titles.get(here) ?? String(cellOf(issue.cells, 'status')?.value ?? here);
    const current = [{ columnId: here, title, since: found?.since ?? null }];
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

/** In which status an issue is, and since when; null where the dates leave that open. */
function currentStatus(
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
