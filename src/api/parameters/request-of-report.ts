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

/** Where, when and for whom a report is asked for; `selection` fails where it is not said which issues. */
interface Asking {
  readonly principal: Principal;
  readonly reportTypes: readonly ReportShape[];
  readonly shape: ReportShape['shape'];
  readonly timeZone: string;
  readonly now: Instant;
  readonly selection: () => Selection;
}

/** The request for a report, without a page: dates are read in the zone, and what was not said is what is usual. */
export function requestOfReport(
  { reportType = '', range, trim, statistic, asOf, ...said }: SavedReport,
  { principal, reportTypes, shape, timeZone, now, selection }: Asking,
): ReportRequest {
  const window = { trimHistoryStartDate: trim?.from, trimHistoryEndDate: trim?.to, asOf };
  // What moves is part of the query.
  const { field = 'created', from, to } = range === undefined || 'when' in range ? {} : range;
  const { issueKey: _issueKey, look: _look, others: _others, ...request } = said;
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

function statisticOf(said: SavedReport['statistic']): Statistic | null {
  const { type, denominator = 'nonNull', deviation = 'population', percentile = 85 } = said ?? {};
  return type === undefined ? null : { type, denominator, deviation, percentile };
}
