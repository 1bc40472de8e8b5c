import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import type { AskedReport, OutputType } from '../../parameters/report.ts';
import type { HttpParts, Reply } from '../route.ts';
import type { ReportFrame } from '../wire/report-frame.ts';
import { reportReply } from '../wire/report-reply.ts';
import { readWording } from './read-wording.ts';

/** Runs a report and puts its table in the asked form; only the full JSON differs between the endpoints. */
export async function answerReport(
  request: ReportRequest,
  asked: AskedReport & { readonly outputType: OutputType },
  { reporting, settings, version }: Pick<HttpParts, 'reporting' | 'settings' | 'version'>,
  fullJson: (table: Table, frame: ReportFrame) => unknown,
): Promise<Reply> {
  const unchecked = await checkDayLength(asked, request.principal, settings);
  const table = await reporting.report(request);
  const { wording, notes } = await readWording(asked, table, settings);
  return reportReply(
    { ...table, provenance: withNotes(table.provenance, [...unchecked, ...notes]) },
    asked.outputType,
    { wording, version },
    fullJson,
  );
}
