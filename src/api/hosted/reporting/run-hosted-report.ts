import { compareGroups } from '../../../engine/compare-groups.ts';
import { badRequest } from '../../../model/error.ts';
import type { ReportRequest } from '../../../model/request.ts';
import type { Table } from '../../../model/table.ts';
import { aggregate } from './aggregate.ts';
import { listOfKeys, plainKeys } from './list-of-keys.ts';
import { wholeList } from './list-pages.ts';
import { pagedList } from './paged-list.ts';
import { reportOf, type TableSource } from './table-source.ts';

/** One report: a statistic, a page, the issues of some keys, or a whole list. */
export async function runHostedReport(
  source: TableSource,
  request: ReportRequest,
  signal?: AbortSignal,
): Promise<Table> {
  refuseMismatch(request);
  const { statistic, page, selection } = request;
  if (statistic !== null) return aggregate(source, request, statistic, signal);
  if (page !== null) return pagedList(source, request, page);
  if (selection.by === 'keys') return listOfKeys(source, request, plainKeys(selection.keys), signal);
  return togetherByGroup(await wholeList(source, request, { signal }));
}

/** A report type and choices that make no sense together: some services would answer another question instead. */
export function refuseMismatch(request: ReportRequest): void {
  const report = reportOf(request);
  const { selection, statistic, metrics, historyFields } = request;
  if (report.shape === 'visit' && (selection.by !== 'keys' || statistic !== null)) {
    throw badRequest(
      `columnsBy '${report.id}' tells the visits of single issues; allowed here: a report type without Expanded.`,
    );
  }
  if (report.kind === 'instant' && statistic !== null) {
    throw badRequest(
      `columnsBy '${report.id}' tells dates, of which there is no ${statistic.type}; allowed: duration and count reports.`,
    );
  }
  if (report.id === 'durationBetweenStatuses' && metrics.length === 0) {
    throw badRequest(`dbsMetrics is required with columnsBy ${report.id}.`);
  }
  if (report.levels[0] === 'value' && historyFields.length === 0) {
    throw badRequest(`historyFields is required with columnsBy ${report.id}.`);
  }
}

/** The product tells the group of every issue, but not those of a group together. */
function togetherByGroup(table: Table): Table {
  const groupBy = table.columns.filter(({ part }) => part === 'group');
  if (groupBy.length === 0) return table;
  return {
    ...table,
    issues: table.issues.toSorted((a, b) => compareGroups(a.cells, b.cells, groupBy)),
    rows: table.rows.toSorted((a, b) => compareGroups(a.own, b.own, groupBy)),
  };
}
