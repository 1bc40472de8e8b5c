import type { Provenance, Table } from '../../model/table.ts';
import { csvLine } from '../../output/files/csv.ts';
import { tableRecords } from '../../output/table-records.ts';
import type { OutputType } from '../../parameters/report.ts';
import type { Reply } from '../route.ts';
import { notesJson, unaskedJson } from './outer-json.ts';
import type { ReportFrame } from './report-frame.ts';

/** A table in the asked form. What opens the next page is in the body, and of CSV in a header. */
export function reportReply(
  table: Table,
  outputType: OutputType,
  frame: ReportFrame,
  fullJson: (table: Table, frame: ReportFrame) => unknown,
): Reply {
  if (outputType === 'json') return { body: fullJson(table, frame) };
  const { titles, lines } = tableRecords(table, frame.wording);
  const next = table.page?.next ?? null;
  if (outputType === 'csv') {
    return {
      type: csvType,
      headers: { ...trustHeaders(table.provenance), ...(next === null ? {} : { 'X-Next-Page-Token': next }) },
      body: csvParts(titles, lines),
    };
  }
  const results = simplified(titles, lines);
  const { complete, undecided } = table.provenance;
  const rest = next === null ? {} : { nextPageToken: next };
  const trust = { complete, undecided, ...unaskedJson(table.provenance), ...notesJson(table.provenance) };
  return { body: { results, ...rest, ...trust } };
}

function* csvParts(titles: readonly string[], lines: Iterable<readonly string[]>): Generator<string> {
  yield csvLine(titles);
  for (const line of lines) yield csvLine(line);
}

function* simplified(titles: readonly string[], lines: Iterable<readonly string[]>) {
  for (const line of lines) yield Object.fromEntries(titles.map((title, i) => [title, line[i]]));
}

/** How far a file can be trusted, where its lines have no place to say it. */
export function trustHeaders({
  complete,
  undecided,
  notes = [],
}: Pick<Provenance, 'complete' | 'undecided' | 'notes'>): Readonly<Record<string, string>> {
  return {
    'X-Complete': String(complete),
    'X-Undecided': String(undecided),
    // A header holds plain letters alone.
    ...(notes.length === 0 ? {} : { 'X-Notes': notes.join(' ').replaceAll(/[^ -~]/g, '?') }),
  };
}

/** The media type of CSV. */
export const csvType = 'text/csv; charset=utf-8';
