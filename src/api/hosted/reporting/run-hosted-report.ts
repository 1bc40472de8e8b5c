import { compareGroups } from '../../../engine/collect-groups.ts';
import type { ReportRequest } from '../../../model/request.ts';
import type { Table } from '../../../model/table.ts';
import { refuseMismatch } from '../../reporting/refuse-mismatch.ts';
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
  refuseMismatch(request, reportOf(request));
  const { statistic, page, selection } = request;
  if (statistic !== null) return aggregate(source, request, statistic, signal);
  if (page !== null) return pagedList(source, request, page);
  if (selection.by === 'keys') return listOfKeys(source, request, plainKeys(selection.keys), signal);
  return togetherByGroup(await wholeList(source, request, { signal }));
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
