import type { ReportRequest } from '../../model/request.ts';
import { askedFor } from './aggregate.ts';
import { listOfKeys, plainKeys } from './list-of-keys.ts';
import { listPages } from './list-pages.ts';
import { selectionParameters } from './report-parameters.ts';
import { reportOf, type TableSource } from './table-source.ts';
import { isNotThere, TookTooLong } from './tis-failures.ts';

/**
 * How many issues a request is about. A page by index tells it beside its only line; where there are none the number
 * stands beside an aggregation, which measures every issue, and where that takes too long they are counted page by page.
 */
export async function countIssues(source: TableSource, request: ReportRequest): Promise<number> {
  const { selection } = request;
  const list = { ...request, statistic: null, page: null };
  if (selection.by === 'keys') {
    const keys = plainKeys(selection.keys);
    return (await listOfKeys(source, list, keys)).issues.length;
  }
  const told = await totalOf(source, list);
  if (told !== null) return told;
  try {
    const summed = await askedFor(source, { ...list, groupBy: [], ...countable(request) }, sum);
    if (summed !== null) return summed.provenance.issues;
  } catch (failure) {
    if (!(failure instanceof TookTooLong)) throw failure;
  }
  let count = 0;
  for await (const { table } of listPages(source, list)) count += table.issues.length;
  return count;
}

/** What every issue has a number of, in place of dates, of which there is no sum. */
export function countable(request: ReportRequest): Pick<ReportRequest, 'reportType'> {
  const isCounted = reportOf(request).kind !== 'instant';
  return { reportType: isCounted ? request.reportType : 'statusCount' };
}

/** The statistic every service knows. */
export const sum = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 } as const;

async function totalOf(source: TableSource, request: ReportRequest): Promise<number | null> {
  try {
    const { asked } = await source.list(request, {
      place: 'list',
      beside: ({ selection, dateRange }, timeZone) => ({
        ...(selection.by === 'keys' ? {} : selectionParameters(selection, dateRange, timeZone)),
        startIssueIndex: '0',
        pageSize: '1',
      }),
    });
    return asked.answer.total ?? null;
  } catch (failure) {
    if (isNotThere(failure) || failure instanceof TookTooLong) return null;
    throw failure;
  }
}
