import { normalHours } from '../../calendar/normal-hours.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import type { Instant } from '../../model/issue.ts';
import { reports } from '../../reports/index.ts';
import type { ReportingApi } from '../reporting.ts';
import { exampleKeys } from './example-keys.ts';
import { runReport } from './run-report.ts';

/** What the local engine is built from. `timeZone` is the tracker server's. */
export interface LocalReportingParts {
  /** The mirror a question is answered from; asked for once per question. */
  readonly mirror: () => Promise<Mirror>;
  readonly now: () => Instant;
  readonly timeZone: string;
}

/** The reporting port answered by our own engine over the mirror. */
export function createLocalReporting({ mirror, now, timeZone }: LocalReportingParts): ReportingApi {
  const sources = { reports, calendars: [normalHours], timeZone };
  return {
    report: async (request) => runReport(request, { ...sources, mirror: await mirror() }, now()),
    statuses: async () => [...(await (await mirror()).statuses()).values()],
    exampleKeys: async (_asker, count) => exampleKeys(await mirror(), count),
  };
}
