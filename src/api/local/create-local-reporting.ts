import { normalHours } from '../../calendar/normal-hours.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import type { Instant } from '../../model/issue.ts';
import { reports } from '../../reports/index.ts';
import type { ReportingApi } from '../reporting.ts';
import { runReport } from './run-report.ts';

/** What the local engine is built from. `timeZone` is the tracker server's. */
export interface LocalReportingParts {
  readonly mirror: Mirror;
  readonly now: () => Instant;
  readonly timeZone: string;
}

/** The reporting port answered by our own engine over the mirror. */
export function createLocalReporting({ mirror, now, timeZone }: LocalReportingParts): ReportingApi {
  const sources = { mirror, reports, calendars: [normalHours], timeZone };
  return {
    report: (request) => runReport(request, sources, now()),
    statuses: async () => [...(await mirror.statuses()).values()],
    user: async (id) => (await mirror.users()).get(id) ?? null,
    exampleKeys: (_asker, count) => mirror.recentKeys(count),
  };
}
