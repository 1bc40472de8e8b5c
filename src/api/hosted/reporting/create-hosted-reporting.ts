import type { Instant } from '../../../model/issue.ts';
import { ask, type ReportRequest } from '../../../model/request.ts';
import { reports } from '../../../reports/index.ts';
import type { ReportingApi } from '../../reporting.ts';
import { countIssues } from './count-issues.ts';
import type { TisClient } from './create-tis-client.ts';
import { hostedContents } from './hosted-contents.ts';
import { hostedStatuses } from './hosted-statuses.ts';
import { listOfKeys, plainKeys } from './list-of-keys.ts';
import { listPages } from './list-pages.ts';
import { openHostedReport } from './open-hosted-report.ts';
import { refuseMismatch, runHostedReport } from './run-hosted-report.ts';
import { createTableSource, type TableSource } from './table-source.ts';

/**
 * The reporting port answered by a service elsewhere, with the rights of the user whose token is given: who asks here is
 * told what that user may see. `timeZone`: of dates, until an answer tells another.
 */
export function createHostedReporting(
  client: TisClient,
  parts: { readonly now: () => Instant; readonly timeZone: string },
): ReportingApi {
  const source = createTableSource(client, parts);
  return {
    reportTypes: reports.map(({ id, title, shape }) => ({ id, title, shape })),
    report: async (request) => runHostedReport(source, request),
    open: async (request, statistics, reading = {}) => openHostedReport(source, request, statistics, reading),
    count: async (request) => countIssues(source, request),
    contents: async (request) => hostedContents(source, request),
    check: async (request) => check(source, request),
    statuses: (asker) => hostedStatuses(source, asker),
    timeZoneOf: async () => source.learnt.timeZone(),
    scope: async () => ({ closedProjects: [], openLevels: [], everything: false }),
    async exampleKeys(asker, count) {
      const selection = { by: 'jql', jql: 'updated >= -30d ORDER BY updated DESC' } as const;
      const request = ask({ asker, reportType: 'statusCount', selection });
      return (await first(source, request, count)).slice(0, count);
    },
  };
}

/** The smallest question that is refused for the same reasons: a page of one issue. */
async function check(source: TableSource, request: ReportRequest): Promise<void> {
  refuseMismatch(request);
  const list = { ...request, statistic: null, page: null };
  const { selection } = request;
  if (selection.by === 'keys') await listOfKeys(source, list, plainKeys(selection.keys));
  else await first(source, list, 1);
}

async function first(source: TableSource, request: ReportRequest, size: number): Promise<string[]> {
  for await (const { table } of listPages(source, request, { size }))
    return table.issues.map(({ key }) => key);
  return [];
}
