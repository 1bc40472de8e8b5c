import type { ReportTypeFacts } from '../../api/reporting.ts';
import type { Principal } from '../../model/principal.ts';
import { ask, type ReportRequest } from '../../model/request.ts';
import type { AskedColumns } from '../../parameters/columns.ts';
import { chooseReportType } from '../../parameters/columns-by.ts';
import type { AskedReport } from '../../parameters/report.ts';
import { readWindow } from '../../parameters/window.ts';
import type { HttpParts } from '../route.ts';

/** What every report was asked with, as far as its endpoint takes it. */
type Asked = AskedReport &
  Partial<AskedColumns> & { readonly columnsBy: string; readonly groupByFields?: readonly string[] };

/** The part of a request that each kind of endpoint reads in its own way; dates are read in the zone of the principal. */
export type ReadRest = (
  timeZone: string,
) => Pick<ReportRequest, 'selection'> & Partial<Pick<ReportRequest, 'dateRange' | 'statistic' | 'page'>>;

/** The request behind checked parameters. */
export async function readReport(
  asked: Asked,
  shape: ReportTypeFacts['shape'],
  principal: Principal,
  { reporting, now }: Pick<HttpParts, 'reporting' | 'now'>,
  readRest: ReadRest,
): Promise<ReportRequest> {
  const reportType = chooseReportType(asked.columnsBy, shape, reporting.reportTypes);
  const timeZone = await reporting.timeZoneOf(principal);
  return ask({
    principal,
    reportType,
    ...readWindow(asked, { now: now(), timeZone }),
    calendar: asked.calendar,
    statuses: asked.statuses ?? null,
    consolidated: asked.consolidatedStatuses ?? [],
    includeDeletedStatuses: asked.includeDeletedStatuses ?? false,
    multiVisitBehavior: asked.multiVisitBehavior ?? 'total',
    fields: asked.fields,
    historyFields: asked.historyFields,
    groups: asked.groups ?? null,
    timePeriod: asked.timePeriod ?? 'Month',
    metrics: asked.dbsMetrics ?? [],
    groupBy: asked.groupByFields ?? [],
    creditDelegates: asked.creditDelegates ?? null,
    ...readRest(timeZone),
  });
}
