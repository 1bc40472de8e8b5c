import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import type { Page, Principal, ReportRequest } from '../../model/request.ts';
import { requestOfReport } from '../../parameters/request-of-report.ts';
import { reportOf } from '../../parameters/saved-report.ts';
import { readSelection } from '../../parameters/selection.ts';
import type { HttpParts } from '../route.ts';

type AskedIssues = { readonly issueKey: string } | Parameters<typeof readSelection>[0];

/** The request behind checked parameters; dates are read in the zone of the principal. */
export async function readReport(
  asked: Parameters<typeof reportOf>[0] & AskedIssues,
  shape: ReportTypeFacts['shape'],
  principal: Principal,
  { reporting, now }: Pick<HttpParts, 'reporting' | 'now'>,
  page: Page | null = null,
): Promise<ReportRequest> {
  const request = requestOfReport(reportOf(asked), {
    ...{ principal, shape, reportTypes: reporting.reportTypes, now: now() },
    timeZone: await reporting.timeZoneOf(principal),
    selection: () => ('filterType' in asked ? readSelection(asked) : { by: 'keys', keys: [asked.issueKey] }),
  });
  return { ...request, page };
}
