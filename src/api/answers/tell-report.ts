import type { AudienceScope } from '../../model/permissions.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import type { Part } from '../answers.ts';
import type { ReportingApi } from '../reporting.ts';

/** A table, the request it answers, and what issues all that is said tells of; null where nobody tells. */
interface ToldReport {
  readonly table: Table;
  readonly request: ReportRequest;
  readonly contents: AudienceScope | null;
}

/** Runs a report: of a list only a part, for a figure of many issues all of them. */
export async function tellReport(
  whole: ReportRequest,
  { start, size }: Part,
  reporting: ReportingApi,
): Promise<ToldReport> {
  if (whole.statistic !== null) {
    const table = await reporting.report(whole);
    return { table, request: whole, contents: table.provenance.contents ?? null };
  }
  const request: ReportRequest = { ...whole, page: { by: 'index', start, size } };
  const table = await reporting.report(request);
  const { page, provenance } = table;
  const isAll = page === null || provenance.issues === page.total;
  // What is said above a part, such as how many there are, is about all of them.
  const contents = isAll ? (provenance.contents ?? null) : await reporting.contents(whole);
  return { table, request, contents };
}
