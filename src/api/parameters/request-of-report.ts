import type { Instant } from '../../model/issue.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import {
  ask,
  type Page,
  type Principal,
  type ReportRequest,
  type Selection,
  type Statistic,
} from '../../model/request.ts';
import { chooseReportType, type ReportShape } from './columns-by.ts';
import { readDateRange } from './selection.ts';
import { readWindow } from './window.ts';

/** The context of a request for a report. */
interface RequestContext {
  readonly principal: Principal;
  readonly reporting: {
    readonly reportTypes: readonly ReportShape[];
    timeZoneOf(principal: Principal): Promise<string>;
  };
  readonly now: () => Instant;
}

/**
 * The request for a report: dates are read in the zone of the principal, and missing members get their defaults.
 * `selection` fails without a choice of issues.
 */
export async function requestOfReport(
  { reportType = '', range, trim, statistic, asOf, ...report }: SavedReport,
  shape: ReportShape['shape'],
  selection: () => Selection,
  { principal, reporting, now }: RequestContext,
  page: Page | null = null,
): Promise<ReportRequest> {
  const timeZone = await reporting.timeZoneOf(principal);
  const window = { trimHistoryStartDate: trim?.from, trimHistoryEndDate: trim?.to, asOf };
  // A moving range is part of the query.
  const { field = 'created', from, to } = range === undefined || 'when' in range ? {} : range;
  const { issueKey: _issueKey, look: _look, others: _others, ...request } = report;
  return ask({
    ...request,
    principal,
    reportType: chooseReportType(reportType, shape, reporting.reportTypes),
    ...readWindow(window, { now: now(), timeZone }),
    selection: selection(),
    dateRange: readDateRange({ dateRangeField: field, startDate: from, endDate: to }, timeZone),
    statistic: statisticOf(statistic),
    page,
  });
}

function statisticOf(statistic: SavedReport['statistic']): Statistic | null {
  const { type, denominator = 'nonNull', deviation = 'population', percentile = 85 } = statistic ?? {};
  return type === undefined ? null : { type, denominator, deviation, percentile };
}
