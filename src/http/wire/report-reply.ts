import { csvText } from '../../formats/csv.ts';
import { tableRecords } from '../../formats/table-records.ts';
import type { Table } from '../../model/table.ts';
import type { Reply } from '../route.ts';
import type { ReportFrame } from './report-json.ts';

type OutputType = 'json' | 'jsonSimplified' | 'csv';

/** A table in the asked output form; only the full JSON differs between the endpoints. */
export function reportReply(
  table: Table,
  outputType: OutputType,
  frame: ReportFrame,
  fullJson: (table: Table, frame: ReportFrame) => unknown,
): Reply {
  if (outputType === 'json') return { body: fullJson(table, frame) };
  const { titles, lines } = tableRecords(table, frame.wording);
  if (outputType === 'csv') return { type: 'text/csv; charset=utf-8', body: csvText([titles, ...lines]) };
  const results = lines.map((line) => Object.fromEntries(titles.map((title, i) => [title, line[i]])));
  return { body: { results } };
}
