import { singleFlight } from '../../../cache/single-flight.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Principal } from '../../../model/principal.ts';
import { ask, type ReportRequest } from '../../../model/request.ts';
import type { Table } from '../../../model/table.ts';
import { reports } from '../../../reports/index.ts';
import { refuseMismatch } from '../../reporting/refuse-mismatch.ts';
import type { ReportingApi } from '../../reporting.ts';
import { countIssues } from './count-issues.ts';
import type { TisClient } from './create-tis-client.ts';
import { hostedContents } from './hosted-contents.ts';
import { hostedStatuses } from './hosted-statuses.ts';
import { listOfKeys, plainKeys } from './list-of-keys.ts';
import { listPages } from './list-pages.ts';
import { openHostedReport } from './open-hosted-report.ts';
import { createRememberedTables } from './remembered-tables.ts';
import { runHostedReport } from './run-hosted-report.ts';
import { createTableSource, reportOf, type TableSource } from './table-source.ts';
import { lacksSince, withSince } from './with-since.ts';

/**
 * The reporting port answered by a service elsewhere, with the rights of the user whose token is given: who asks here is
 * told what that user may see. `timeZone`: of dates, until an answer tells another.
 */
export function createHostedReporting(
  client: TisClient,
  parts: { readonly now: () => Instant; readonly timeZone: string },
): ReportingApi {
  const source = createTableSource(client, parts);
  const remembered = createRememberedTables(parts.now);
  const greetings = singleFlight<unknown>();

  async function reportOf(request: ReportRequest): Promise<Table> {
    const table = await runHostedReport(source, request);
    return lacksSince(request, source) ? withSince(source, request, table) : table;
  }

  function greeted(principal: Principal): Promise<unknown> {
    const request = ask({ principal, reportType: 'statusCount', selection: { by: 'jql', jql: '' } });
    return greetings.run('', () => first(source, request, 1));
  }

  return {
    reportTypes: reports.map(({ id, title, shape }) => ({ id, title, shape })),
    report: async (request) => remembered(request, () => reportOf(request)),
    open: async (request, statistics, reading = {}) => openHostedReport(source, request, statistics, reading),
    // Its own pages are the slices, and only whole reports can be asked for.
    async *slices() {
      yield { report: (request) => remembered(request, () => reportOf(request)) };
    },
    count: async (request) => countIssues(source, request),
    contents: async (request) => hostedContents(source, request),
    check: async (request) => check(source, request),
    statuses: (principal) => hostedStatuses(source, principal),
    sprints: async () => [],
    async timeZoneOf(principal) {
      // Dates that are read before the first answer would be read on the wrong clocks.
      if (source.learnt.dialect() === null) await greeted(principal);
      return source.learnt.timeZone();
    },
    scope: async () => ({ closedProjects: [], openLevels: [], everything: false }),
    async exampleKeys(principal, count) {
      const selection = { by: 'jql', jql: 'updated >= -30d ORDER BY updated DESC' } as const;
      const request = ask({ principal, reportType: 'statusCount', selection });
      return (await first(source, request, count)).slice(0, count);
    },
  };
}

/** The smallest question that is refused for the same reasons: a page of one issue. */
async function check(source: TableSource, request: ReportRequest): Promise<void> {
  refuseMismatch(request, reportOf(request));
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
