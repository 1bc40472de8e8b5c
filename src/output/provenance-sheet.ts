import { millisecondsInHour } from 'date-fns/constants';
import type { ExportInput } from '../model/export.ts';
import type { Instant } from '../model/issue.ts';
import { reportIds } from '../model/report-ids.ts';
import type { BetweenMetric, ReportRequest, Selection } from '../model/request.ts';
import type { TableHead } from '../model/table.ts';
import { dateText } from '../time/date-text.ts';
import type { TableWording } from './table-records.ts';
import { inParts } from './table-sheets.ts';
import type { Sheet, SheetValue } from './workbook.ts';

/** The content of the last sheet beside the answer itself. */
interface ProvenanceFacts {
  readonly input: ExportInput;
  readonly reportTitle: string;
  /** The instant of the request; the file may have been made later. */
  readonly askedAt: Instant;
  readonly version: string;
}

/** The sheet about the source of the figures: enough to ask the same again, and to judge them. */
export function provenanceSheet(
  { columns, provenance, statuses }: Pick<TableHead, 'columns' | 'provenance' | 'statuses'>,
  { input, reportTitle, askedAt, version }: ProvenanceFacts,
  wording: TableWording,
): Sheet {
  const { request } = input;
  const { calendar, trim, timeZone } = provenance;
  const kinds = new Set(columns.filter(({ part }) => part === 'value').map(({ kind }) => kind));
  const hasFigures = !kinds.has('instant') && input.type !== 'CSV';
  const isWorkbook = input.type === 'XLSX' || input.type === 'XLS';
  const date = (at: Instant | null) =>
    at === null ? null : dateText(at, 'yyyy-MM-dd HH:mm:ss XXX', timeZone);
  const rows: readonly (readonly [string, SheetValue])[] = [
    ['Report', `${reportTitle} (${provenance.reportType})`],
    ['Filter', selectionText(request.selection)],
    ['JQL', provenance.query],
    ['Dates', dateRangeText(request, date)],
    ['Grouped by', listText(request.groupBy)],
    ['Fields shown', listText(request.fields)],
    ['Statuses chosen', request.statuses === null ? 'every status observed' : listText(request.statuses)],
    [
      'Statuses joined',
      request.consolidated === 'stages'
        ? 'the stages of the flow'
        : listText(request.consolidated.map((one) => `${one.name}: ${one.statuses.join(', ')}`)),
    ],
    ['Statuses left out, gone from the tracker', leftOutText(request, statuses)],
    ['Several visits of a status', request.multiVisitBehavior],
    ...choicesOf(request),
    ['Delegates credited', listText(provenance.creditedCategories ?? [])],
    ['Calendar', calendar.continuous ? `${calendar.name} (24/7)` : calendar.name],
    ['Time zone of the calendar', calendar.timeZone],
    ['Time zone of dates', timeZone],
    ['Durations in', columns.some(({ kind }) => kind === 'duration') ? unitText(input, wording) : null],
    ['History counts from', date(trim.from) ?? 'creation'],
    ['History counts until', date(trim.to) ?? 'the "As of" time'],
    ['Averages and deviations divide by', hasFigures ? denominatorText(input) : null],
    ['Standard deviation of', hasFigures ? input.deviation : null],
    ['As of', date(provenance.asOf)],
    ['Asked at', date(askedAt)],
    [
      'Asked by',
      input.principalName === null
        ? request.principal.account
        : `${input.principalName} (${request.principal.account})`,
    ],
    ...(provenance.flows ?? []).map(({ project, changedAt }): [string, ReturnType<typeof date>] => [
      `Flow of ${project} changed`,
      date(changedAt),
    ]),
    ['Data taken from the tracker at', date(provenance.dataAsOf)],
    ['Source', provenance.tracker],
    ['Issues counted', provenance.issues],
    ['Histories cut', provenance.cutHistories],
    ['Issues left out because it is unknown whether they belong here', provenance.undecided],
    ['Issues left out because their permissions are unknown', provenance.unasked ?? null],
    ['Notes', listText(withNotes(provenance, input.notes ?? []).notes ?? [])],
    ['Complete', provenance.complete ? 'yes' : 'no'],
    ['An empty cell means', 'never; 0 is a value'],
    ['Longer texts end with … after', isWorkbook ? '32,767 characters, as many as a cell holds' : null],
    ['Made by', `Dwell ${version}`],
  ];
  return {
    id: 'provenance',
    name: 'Provenance',
    columns: [
      { id: 'name', title: 'What', kind: 'text', unit: null },
      // Texts, and a few numbers that are to stay numbers.
      { id: 'value', title: 'Value', kind: 'number', unit: null },
    ],
    rows: inParts(rows.filter(([, value]) => value !== null)),
  };
}

function choicesOf({
  reportType,
  historyFields,
  groups,
  timePeriod,
  metrics,
}: ReportRequest): (readonly [string, SheetValue])[] {
  return [
    ['Fields in the history', listText(historyFields)],
    [
      'Groups of users',
      reportType === reportIds.groupDuration ? (groups === null ? 'all' : listText(groups)) : null,
    ],
    [
      'Time period',
      reportType.includes('TimePeriod') || reportType.startsWith('timePeriod') ? timePeriod : null,
    ],
    ['Cycle times', listText(metrics.map(clockText))],
  ];
}

/** A metric in words, such as "Lead time: from the creation to last Done, pausing in Blocked". */
function clockText({ name, from, to, pausedIn }: BetweenMetric): string {
  const point = ({ statuses, visit }: BetweenMetric['from']) =>
    statuses.length === 0 ? 'the creation' : `the ${visit} visit of ${statuses.join(', ')}`;
  const pauses = pausedIn.length === 0 ? '' : `, pausing in ${pausedIn.join(', ')}`;
  return `${name}: from ${point(from)} to ${point(to)}${pauses}`;
}

/** The choice of issues as people say it. */
export function selectionText(selection: Selection): string {
  switch (selection.by) {
    case 'keys':
      return `issues ${selection.keys.join(', ')}`;
    case 'project':
      return `project ${selection.project}`;
    case 'user':
      return `assigned to ${selection.user}, now or ever`;
    case 'savedFilter':
      return `saved filter ${selection.id}`;
    case 'sprint':
      return `sprint ${selection.id}`;
    case 'jql':
      return 'JQL';
  }
}

function dateRangeText(
  { dateRange }: ReportRequest,
  date: (at: Instant | null) => string | null,
): string | null {
  if (dateRange === null) return null;
  const { field } = dateRange;
  const [from, to] = [date(dateRange.from), date(dateRange.to)];
  if (from === null && to === null) return `${field}: any time`;
  const limits = [
    ...(from === null ? [] : [`from ${from}`]),
    ...(to === null ? [] : [`up to ${to} (not included)`]),
  ];
  return `${field}: ${limits.join(' ')}`;
}

function leftOutText(
  { statuses: chosen, includeDeletedStatuses }: ReportRequest,
  { deleted, included }: TableHead['statuses'],
): string | null {
  if (chosen !== null || includeDeletedStatuses) return null;
  const shown = new Set(included.map(({ id }) => id));
  return listText(deleted.filter(({ id }) => !shown.has(id)).map(({ name }) => name));
}

function denominatorText({ denominator }: ExportInput): string {
  return denominator === 'all' ? 'all issues' : 'issues with a value';
}

function unitText({ dayLength, unit }: ExportInput, { dayMs }: TableWording): string {
  if (unit === 'humanReadable') return 'words';
  if (unit !== 'days') return unit;
  return dayLength === 'businessDays'
    ? `days, each a working day of ${Number((dayMs / millisecondsInHour).toFixed(2))} h`
    : 'days of 24 h';
}

function listText(entries: readonly string[]): string | null {
  return entries.length === 0 ? null : entries.join('; ');
}

/** Facts with more notes; notes that are there already are not repeated. */
export function withNotes<Known extends object>(
  known: Known & { readonly notes?: readonly string[] },
  more: readonly string[],
): Known & { readonly notes?: readonly string[] } {
  const notes = [...new Set([...(known.notes ?? []), ...more])];
  return notes.length === 0 ? known : { ...known, notes };
}
