import { stat } from 'node:fs/promises';
import { about, badRequestAs } from '../../model/error.ts';
import type { ExportInput, ExportType } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { AggregationType, Statistic } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { fileFormats } from '../../output/files/index.ts';
import { provenanceSheet } from '../../output/provenance-sheet.ts';
import { listSheet, statisticSheet } from '../../output/table-sheets.ts';
import type { FileFormat, Sheet } from '../../output/workbook.ts';
import { dayLengthMs } from '../../time/calendar.ts';
import { dateText } from '../../time/date-text.ts';
import type { Reading, ReportingApi } from '../reporting/reporting-api.ts';
import type { CycleTimeSource, ExportFile, FileContent } from './exports-api.ts';

/** Options of writing a file. */
interface Writing extends Reading {
  /** The compression from 1 (quick) to 9 (small). */
  readonly compression: number;
  /** The instant of the request; left out: the instant the file is made. */
  readonly askedAt?: Instant;
}

/** The ports that fill a file. */
interface WritingParts {
  readonly reporting: ReportingApi;
  readonly cycleTimes: CycleTimeSource;
  readonly version: string;
}

interface Contents {
  readonly format: FileFormat['id'];
  readonly holds: 'workbook' | 'list' | AggregationType;
}

/** The content and format of each type of file; a workbook has the list and every statistic. */
const contents: Readonly<Record<ExportType, Contents>> = {
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

/** The format a file is written in. */
export function formatOf({ type, withProvenance }: ExportInput): FileFormat {
  const { format } = contents[type];
  return formatCalled(format === 'csv' && withProvenance ? 'csvZip' : format);
}

/** A format by its id. */
export function formatCalled(wanted: FileFormat['id']): FileFormat {
  const found = fileFormats.find(({ id }) => id === wanted);
  if (found === undefined) throw new Error(`No format is called ${wanted}`);
  return found;
}

/** The request behind a file: of a list, or of the one statistic it holds. */
export function exportRequestOf(input: ExportInput): ExportInput['request'] {
  const type = statisticIn(input);
  return { ...input.request, statistic: type === null ? null : statisticOf(type, input), page: null };
}

/** The one statistic that a file holds; null where it holds more. */
function statisticIn({ type }: Pick<ExportInput, 'type'>): AggregationType | null {
  const { holds } = contents[type];
  return holds === 'workbook' || holds === 'list' ? null : holds;
}

/**
 * Writes a file to `path`, which must not exist. A problem of the input fails before a row is written; a later failure may
 * leave a part of the file behind.
 */
export async function writeExport(
  input: ExportInput,
  path: string,
  { reporting, cycleTimes, version }: WritingParts,
  { compression, askedAt, ...reading }: Writing,
): Promise<Omit<ExportFile, keyof FileContent>> {
  const format = formatOf(input);
  const { holds } = contents[input.type];
  const alone = statisticIn(input);
  const types = holds === 'workbook' ? workbookStatistics : alone === null ? [] : [alone];
  // A report that has no such statistic is refused where the file holds it alone; a workbook goes without.
  if (alone !== null) await reporting.check(exportRequestOf(input));
  const wanted = types.map((type) => statisticOf(type, input));
  const { list, statistics, lines } = await reporting.open(input.request, wanted, reading);
  const { provenance } = list;
  const { calendar, timeZone } = provenance;
  const dayMs = dayLengthMs(calendar, input.dayLength);
  const wording = { viewFormat: input.unit, dayMs, timeZone, formats: input.formats };
  const { asOf } = provenance;
  const reportType = reporting.reportTypes.find(({ id }) => id === provenance.reportType);
  // A list of visits has several rows for an issue.
  const withCycleTime = input.withCycleTime === true && reportType?.shape === 'issue';
  const cycles = withCycleTime ? (keys: readonly string[]) => cycleTimes(input.request, keys, asOf) : null;
  const sheets = [
    ...(alone === null ? [listSheet(list, lines(), wording, cycles)] : []),
    ...statistics.map((table) => statisticSheet(table, wording)),
  ];
  assertWidth(input, format, sheets);
  const reportTitle = reportType?.title ?? '';
  const facts = { input, reportTitle, askedAt: askedAt ?? provenance.askedAt, version };
  const { formats } = input;
  const title = fileName(input, provenance);
  const book = { title, timeZone, formats, sheets: [...sheets, provenanceSheet(list, facts, wording)] };
  await format.write(book, path, { byteOrderMark: input.byteOrderMark, compression });
  const { size: bytes } = await stat(path);
  return { fileName: `${title}.${format.extension}`, mediaType: format.mediaType, bytes, provenance };
}

function statisticOf(type: AggregationType, { denominator, deviation }: ExportInput): Statistic {
  return { type, denominator, deviation, percentile: 50 };
}

function assertWidth({ type }: ExportInput, { maxColumns }: FileFormat, sheets: readonly Sheet[]): void {
  const widest = Math.max(...sheets.map(({ columns }) => columns.length));
  if (maxColumns === null || widest <= maxColumns) return;
  const problem = `'${type}' holds ${maxColumns} columns and this report has ${widest}. Try: CSV or JSON, or a report with fewer columns.`;
  const data = { mostColumns: maxColumns, columns: widest };
  throw badRequestAs('too-many-columns', about('outputType', problem), data);
}

/** A name such as `dwell-statusDuration-average-2026-03-18-0930`, as of an instant in the zone of the principal. */
function fileName(input: ExportInput, { reportType, asOf, timeZone }: Provenance): string {
  const alone = statisticIn(input);
  const at = dateText(asOf, 'yyyy-MM-dd-HHmm', timeZone);
  return ['dwell', reportType, ...(alone === null ? [] : [alone]), at].join('-');
}
