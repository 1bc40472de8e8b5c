import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import type { ReportRequest } from '../model/request.ts';
import type { Cells, IssueFacts, Table } from '../model/table.ts';
import { wholeList } from './hosted-lists.ts';
import type { ReportSource } from './report-source.ts';

/** Whether it is worth a second list: a whole list of time in status that shows the status. */
export function lacksSince({ trim, fields, reportType }: ReportRequest): boolean {
  const isTrimmed = trim.from !== null || trim.to !== null;
  return !isTrimmed && fields.includes('status') && reportType.toLowerCase() === 'statusduration';
}

/**
 * The product says where an issue is now, and not since when; of a past instant not even where. Both follow from when it
 * last came into each status, to the minute. Where those dates do not fit, neither is given.
 */
export async function withSince(source: ReportSource, request: ReportRequest, table: Table): Promise<Table> {
  if (table.issues.length === 0) return table;
  const none = { fields: [], groupBy: [], statuses: null, consolidated: [], includeDeletedStatuses: true };
  const dates = await wholeList(source, { ...request, ...none, reportType: 'lastTransitionToStatusDate' });
  const entered = new Map(dates.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  const spent = new Map(table.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  const titles = new Map([...table.columns, ...dates.columns].map(({ id, title }) => [id, title]));
  const { asOf, askedAt } = table.provenance;
  const isPast = askedAt - asOf > millisecondsInMinute;
  const issues = table.issues.map((issue): IssueFacts => {
    // The tracker shows the status of today.
    const { status, ...cells } = issue.cells;
    const shown = isPast ? undefined : status;
    const found = currentStatus(
      issue,
      shown?.id,
      asOf,
      entered.get(issue.key) ?? {},
      spent.get(issue.key) ?? {},
    );
    const id = found?.id ?? shown?.id;
    if (id === undefined) return isPast ? { ...issue, cells, current: [] } : issue;
    const title = titles.get(id) ?? String(status?.value ?? id);
    const current = [{ columnId: id, title, since: found?.since ?? null }];
    return { ...issue, current, cells: isPast ? { ...cells, status: { value: title, id } } : issue.cells };
  });
  const cells = new Map(issues.map((issue) => [issue.key, issue.cells]));
  const rows = table.rows.map((row) => ({ ...row, own: cells.get(row.issueKey ?? '') ?? row.own }));
  return { ...table, issues, rows };
}

/** In which status an issue is, and since when; null where the dates leave that open. `shown`: what the tracker shows. */
function currentStatus(
  { created }: IssueFacts,
  shown: string | undefined,
  asOf: Instant,
  entered: Cells,
  spent: Cells,
): { readonly id: string; readonly since: Instant } | null {
  const dates = Object.entries(entered).map(([id, { value }]) => ({ id, since: Number(value) }));
  const [first, ...others] = Object.keys(spent);
  if (dates.length === 0) {
    const isFirst = first !== undefined && others.length === 0 && (shown ?? first) === first;
    return isFirst ? { id: first, since: created } : null;
  }
  const latest = Math.max(...dates.map(({ since }) => since));
  const last = dates.filter(({ id, since }) => since === latest && id === (shown ?? id));
  // An entry after the instant hides earlier ones of that status.
  return latest > asOf || last.length !== 1 ? null : (last[0] ?? null);
}
