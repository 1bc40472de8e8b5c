import { z } from 'zod';
import { inputOf } from '../../api/answers/document.ts';
import type { QuestionKind } from '../../api/answers/question-kind.ts';
import { readWindow } from '../../api/parameters/dates.ts';
import {
  type OutputType,
  type ReportInput,
  reportParameters,
  requestOfReport,
} from '../../api/parameters/report.ts';
import { reportOf } from '../../api/parameters/saved-report.ts';
import { readSelection } from '../../api/parameters/selection.ts';
import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import { readFormats } from '../../api/settings/settings-api.ts';
import { noteRequest } from '../../concurrency/request-scope.ts';
import type { Part } from '../../model/answer.ts';
import type { MeasuredQuestion, Question } from '../../model/question.ts';
import type { Page, Principal, ReportRequest, Selection } from '../../model/request.ts';
import type { Provenance, Table } from '../../model/table.ts';
import { streamed } from '../../output/encode.ts';
import { csvLine } from '../../output/files/csv.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { type TableWording, tableRecords } from '../../output/table-records.ts';
import { dayLengthMs } from '../../time/calendar.ts';
import { csvMediaType, type HttpParts, jsonType, type Reply, simplifiedType } from '../route.ts';
import { doubtMembers, doubtsIn, outerMembers, outerOf } from './table.ts';

/** The media type of CSV, as it is sent. */
export const csvType = `${csvMediaType}; charset=utf-8`;

const simplified = z
  .object({
    results: streamed(z.record(z.string(), z.string())),
    nextPageToken: z.string().optional(),
    complete: z.boolean().describe('Whether every history is complete and no issue was left out.'),
    undecided: z.int().describe('Issues left out because it is unknown whether they match the query.'),
    ...doubtMembers,
    ignoredParameters: z.array(z.string()).optional(),
  })
  .meta({
    id: 'Simplified',
    description: 'With outputType jsonSimplified: flat objects keyed by the titles of the columns.',
  });

/** The forms a report is answered in: as JSON in full, as flat objects, as CSV. */
export function reportContent<Full extends z.ZodType>(full: Full) {
  return { [jsonType]: full, [simplifiedType]: simplified, [csvMediaType]: z.string() };
}

type IssueParameters = { readonly issueKey: string } | Parameters<typeof readSelection>[0];

/** The request that checked parameters make; dates are read in the zone of the principal. */
export function readReportRequest(
  input: Parameters<typeof reportOf>[0] & IssueParameters,
  shape: ReportTypeFacts['shape'],
  principal: Principal,
  parts: Pick<HttpParts, 'reporting' | 'now'>,
  page: Page | null = null,
): Promise<ReportRequest> {
  const selection = (): Selection =>
    'filterType' in input ? readSelection(input) : { by: 'keys', keys: [input.issueKey] };
  return requestOfReport(reportOf(input), shape, selection, { ...parts, principal }, page);
}

/** Runs a report and puts its table in the requested form; `ownMembers` are those of the full JSON of one endpoint. */
export async function answerReport<Own extends object>(
  request: ReportRequest,
  input: ReportInput & { readonly outputType: OutputType },
  { reporting, settings, version }: Pick<HttpParts, 'reporting' | 'settings' | 'version'>,
  ownMembers: (table: Table, wording: TableWording) => Own,
): Promise<Reply<ReturnType<typeof outerOf> & Own>> {
  const unchecked = await checkDayLength(input, request.principal, settings);
  const answered = await reporting.report(request);
  noteRequest({ kind: request.reportType, rows: answered.rows.length });
  const { formats, notes } = await readFormats(input, settings);
  const provenance = withNotes(answered.provenance, [...unchecked, ...notes]);
  const wording = {
    viewFormat: input.viewFormat,
    dayMs: dayLengthMs(provenance.calendar, input.dayLength),
    timeZone: provenance.timeZone,
    formats,
  };
  const table = { ...answered, provenance };
  if (input.outputType === 'json')
    return { body: { ...outerOf(table, wording, version), ...ownMembers(table, wording) } };
  const { titles, lines } = tableRecords(table, wording);
  const next = table.page?.next ?? null;
  if (input.outputType === 'csv') {
    const headers = { ...trustHeaders(provenance), ...(next === null ? {} : { 'X-Next-Page-Token': next }) };
    return { type: csvType, headers, body: csvParts(titles, lines) };
  }
  const { complete, undecided } = provenance;
  const page = next === null ? {} : { nextPageToken: next };
  const body = { results: recordsOf(titles, lines), ...page, complete, undecided, ...doubtsIn(provenance) };
  return { type: simplifiedType, body };
}

function* csvParts(titles: readonly string[], lines: Iterable<readonly string[]>): Generator<string> {
  yield csvLine(titles);
  for (const line of lines) yield csvLine(line);
}

function* recordsOf(titles: readonly string[], lines: Iterable<readonly string[]>) {
  for (const line of lines) yield Object.fromEntries(titles.map((title, i) => [title, line[i] ?? '']));
}

/** Headers that say how complete a file is. */
export function trustHeaders({
  complete,
  undecided,
  notes = [],
}: Pick<Provenance, 'complete' | 'undecided' | 'notes'>): Readonly<Record<string, string>> {
  return {
    'X-Complete': String(complete),
    'X-Undecided': String(undecided),
    // Headers are ASCII.
    ...(notes.length === 0 ? {} : { 'X-Notes': notes.join(' ').replaceAll(/[^ -~]/g, '?') }),
  };
}

const { calendar, asOf } = reportParameters;

/** Parameters by which the figures of a question are measured. */
export const answerParameters = { calendar, asOf };

type MeasureParameters = Pick<ReportInput, keyof typeof answerParameters> & {
  /** The zone of the principal if it is left out. */
  readonly timeZone?: string | undefined;
};

/** Members of every answer over REST beside the answer itself. */
export const frameMembers = {
  ignoredParameters: outerMembers.ignoredParameters,
  version: outerMembers.version,
};

/** Answers a question of a kind; `body` is what the schema of its answer takes. */
export async function askKind<Asked extends Question, Value>(
  kind: QuestionKind<Asked, Value>,
  questionOf: (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>) => Asked,
  parameters: MeasureParameters,
  principal: Principal,
  { answers, reporting, now, version }: HttpParts,
  part?: Part,
) {
  const timeZone = parameters.timeZone ?? (await reporting.timeZoneOf(principal));
  const { value } = await answers.ask(
    kind,
    principal,
    questionOf({ calendar: parameters.calendar, timeZone }),
    readWindow({ asOf: parameters.asOf }, { now: now(), timeZone }).asOf,
    part,
  );
  return { value, body: { ...inputOf(kind, value), version } };
}
