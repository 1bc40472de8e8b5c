import type { Instant } from '../../model/issue.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import {
  ask,
  type Principal,
  type ReportRequest,
  type Selection,
  type Statistic,
} from '../../model/request.ts';
import { chooseReportType, type ReportShape } from './columns-by.ts';
import { readDateRange } from './selection.ts';
import { readWindow } from './window.ts';

/** The context of a request for a report; `selection` fails without a choice of issues. */
interface RequestContext {
  readonly principal: Principal;
  readonly reportTypes: readonly ReportShape[];
  readonly shape: ReportShape['shape'];
  readonly timeZone: string;
  readonly now: Instant;
  readonly selection: () => Selection;
}

/** The request for a report, without a page: dates are read in the zone, and missing members get their defaults. */
export function requestOfReport(
  { reportType = '', range, trim, statistic, asOf, ...report }: SavedReport,
  { principal, reportTypes, shape, timeZone, now, selection }: RequestContext,
): ReportRequest {
  const window = { trimHistoryStartDate: trim?.from, trimHistoryEndDate: trim?.to, asOf };
  // A moving range is part of the query.
  const { field = 'created', from, to } = range === undefined || 'when' in range ? {} : range;
  const { issueKey: _issueKey, look: _look, others: _others, ...request } = report;
  return ask({
    ...request,
    principal,
    reportType: chooseReportType(reportType, shape, reportTypes),
    ...readWindow(window, { now, timeZone }),
    selection: selection(),
    dateRange: readDateRange({ dateRangeField: field, startDate: from, endDate: to }, timeZone),
    statistic: statisticOf(statistic),
  });
}

function statisticOf(statistic: SavedReport['statistic']): Statistic | null {
  const { type, denominator = 'nonNull', deviation = 'population', percentile = 85 } = statistic ?? {};
  return type === undefined ? null : { type, denominator, deviation, percentile };
}
