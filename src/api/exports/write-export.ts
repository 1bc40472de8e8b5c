import { stat } from 'node:fs/promises';
import { millisecondsInDay } from 'date-fns/constants';
import { badRequest } from '../../model/error.ts';
import type { ExportInput, ExportType } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { AggregationType, Statistic } from '../../model/request.ts';
import type { IssueLines, Provenance, Table, TableHead } from '../../model/table.ts';
import { fileFormats } from '../../output/files/index.ts';
import { provenanceSheet } from '../../output/provenance-sheet.ts';
import type { Wording } from '../../output/table-records.ts';
import { listView, statisticView } from '../../output/table-sheets.ts';
import type { FileFormat, Sheet } from '../../output/workbook.ts';
import { dateText } from '../../time/java-dates.ts';
import type { Reading, ReportingApi } from '../reporting.ts';

/** What came of writing a file. */
interface WrittenExport {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly provenance: Provenance;
}

/** How a file is written. */
interface Writing extends Reading {
  /** How hard to compress, 1 (quick) to 9 (small). */
  readonly compression: number;
  /** When the principal asked; left out: when the file is made. */
  readonly askedAt?: Instant;
}

/** What each type of file holds, and in which format; a workbook has the list and every statistic. */
const contents: Readonly<
  Record<
    ExportType,
    { readonly format: FileFormat['id']; readonly holds: 'workbook' | 'list' | AggregationType }
  >
> = {
  XLSX: { format: 'xlsx', holds: 'workbook' },
  XLS: { format: 'xls', holds: 'workbook' },
  JSON: { format: 'json', holds: 'workbook' },
  CSV: { format: 'csv', holds: 'list' },
  CSVAVERAGE: { format: 'csv', holds: 'average' },
  CSVSUM: { format: 'csv', holds: 'sum' },
  CSVMEDIAN: { format: 'csv', holds: 'median' },
  CSVSTDDEV: { format: 'csv', holds: 'standardDeviation' },
};

const workbookStatistics = ['average', 'sum', 'median', 'standardDeviation'] as const;

/** The format a wish is written in. */
export function formatOf({ type, withProvenance }: ExportInput): FileFormat {
  const { format } = contents[type];
  const wanted = format === 'csv' && withProvenance ? 'csvZip' : format;
  const found = fileFormats.find(({ id }) => id === wanted);
  if (found === undefined) throw new Error(`No format is called ${wanted}`);
  return found;
}

/** The request behind a wish: of a list, or of the one statistic the file holds. */
export function exportRequestOf(wish: ExportInput): ExportInput['request'] {
  const { holds } = contents[wish.type];
  const isOne = holds !== 'workbook' && holds !== 'list';
  return { ...wish.request, statistic: isOne ? statisticOf(holds, wish) : null, page: null };
}

/**
 * Writes the file of a wish to `path`, which must not exist. What is wrong with the wish fails before a row is written;
 * whatever fails later may leave a part of the file behind.
 */
export async function writeExport(
  wish: ExportInput,
  path: string,
  { reporting, version }: { readonly reporting: ReportingApi; readonly version: string },
  { compression, askedAt, ...reading }: Writing,
): Promise<WrittenExport> {
  const format = formatOf(wish);
  const { head, sheetsFor } = await contentOf(wish, reporting, reading);
  const { provenance } = head;
  const wording = wordingOf(wish, provenance);
  const reportTitle = reporting.reportTypes.find(({ id }) => id === provenance.reportType)?.title ?? '';
  const facts = { wish, reportTitle, askedAt: askedAt ?? provenance.askedAt, version };
  const sheets = sheetsFor(wording);
  refuseTooWide(wish, format, sheets);
  const name = fileName(wish, provenance);
  const book = {
    title: name,
    timeZone: provenance.timeZone,
    formats: wish.formats,
    sheets: [...sheets, provenanceSheet(head, facts, wording)],
  };
  await format.write(book, path, { byteOrderMark: wish.byteOrderMark, compression });
  const { size: bytes } = await stat(path);
  return { fileName: `${name}.${format.extension}`, mediaType: format.mediaType, bytes, provenance };
}

/** The first issues of a wish as a table, with all the columns that the file has. */
export async function previewExport(
  wish: ExportInput,
  most: number,
  reporting: ReportingApi,
): Promise<Table> {
  const { list, lines } = await reporting.open(wish.request, []);
  const first: IssueLines[] = [];
  for await (const part of lines()) {
    first.push(...part.slice(0, most - first.length));
    if (first.length >= most) break;
  }
  return { ...list, issues: first.map(({ facts }) => facts), rows: first.flatMap(({ rows }) => rows) };
}

/** What the file is to hold, and the head that says where it comes from. */
async function contentOf(
  wish: ExportInput,
  reporting: ReportingApi,
  reading: Reading,
): Promise<{
  readonly head: TableHead;
  readonly sheetsFor: (wording: Wording) => readonly Sheet[];
}> {
  const { holds } = contents[wish.type];
  const types = holds === 'workbook' ? workbookStatistics : holds === 'list' ? [] : [holds];
  const wanted = types.map((type) => statisticOf(type, wish));
  // What cannot be condensed is refused where it is asked for alone; a workbook goes without.
  if (exportRequestOf(wish).statistic !== null) await reporting.check(exportRequestOf(wish));
  const { list, statistics, lines } = await reporting.open(wish.request, wanted, reading);
  return {
    head: list,
    sheetsFor: (wording) => [
      ...(holds === 'workbook' || holds === 'list' ? [listView(list, lines(), wording)] : []),
      ...statistics.map((table) => statisticView(table, wording)),
    ],
  };
}

function statisticOf(type: AggregationType, { denominator, deviation }: ExportInput): Statistic {
  return { type, denominator, deviation, percentile: 50 };
}

function wordingOf({ unit, dayLength, formats }: ExportInput, { calendar, timeZone }: Provenance): Wording {
  return {
    viewFormat: unit,
    dayMs: dayLength === 'businessDays' ? calendar.dailyMs : millisecondsInDay,
    timeZone,
    formats,
  };
}

function refuseTooWide({ type }: ExportInput, { mostColumns }: FileFormat, sheets: readonly Sheet[]): void {
  const widest = Math.max(...sheets.map(({ columns }) => columns.length));
  if (mostColumns === null || widest <= mostColumns) return;
  throw badRequest(
    `outputType '${type}' holds ${mostColumns} columns and this report has ${widest}; allowed: CSV or JSON, or a report with fewer columns.`,
  );
}

/** Such as `dwell-statusDuration-average-2026-03-18-0930`, as of an instant in the zone of the principal. */
function fileName({ type }: ExportInput, { reportType, asOf, timeZone }: Provenance): string {
  const { holds } = contents[type];
  const statistic = holds === 'workbook' || holds === 'list' ? [] : [holds];
  return ['dwell', reportType, ...statistic, dateText(asOf, 'yyyy-MM-dd-HHmm', timeZone)].join('-');
}
