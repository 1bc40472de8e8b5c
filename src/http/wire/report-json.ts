import { dateText, isoText } from '../../formats/date-text.ts';
import { durationText } from '../../formats/duration-text.ts';
import { NEVER, type Wording } from '../../formats/table-records.ts';
import type { Instant, Status } from '../../model/issue.ts';
import { type Cell, type Column, cellOf, type IssueFacts, type Table } from '../../model/table.ts';

/** What the outer object of every report tells besides the table itself. */
export interface ReportFrame {
  readonly wording: Wording;
  readonly version: string;
}

/** A report as clients of the compatible product read it; members of ours stand beside theirs. */
export function reportJson(table: Table, frame: ReportFrame) {
  return {
    ...outerJson(table, frame),
    table: {
      header: headerJson(table.columns),
      body: { rows: table.issues.map((issue) => rowJson(issue, table, frame.wording)) },
    },
  };
}

/** Everything around the table: how it was asked, with which calendar, and how far the answer can be trusted. */
export function outerJson({ statuses, provenance }: Table, { wording, version }: ReportFrame) {
  const { calendar, trim, timeZone, asOf, askedAt, dataAsOf } = provenance;
  const inZone = (at: Instant | null) =>
    at === null ? null : dateText(at, wording.formats.dateTimeFormat, timeZone);
  return {
    dateFormat: wording.formats.dateFormat,
    dateTimeFormat: wording.formats.dateTimeFormat,
    timeZone,
    locale: 'en_US',
    reportDate: inZone(asOf),
    version,
    columnsBy: provenance.reportType,
    viewFormat: wording.viewFormat,
    trimHistoryStartDate: inZone(trim.from),
    trimHistoryEndDate: inZone(trim.to),
    isComposite: false,
    isAggregationType: false,
    isOverall: false,
    isAverage: false,
    isSum: false,
    isMedian: false,
    isStddev: false,
    calendar: {
      id: calendar.id,
      name: calendar.name,
      timeZone: calendar.timeZone,
      dailyWorkingHours: calendar.dailyMs / 3_600_000,
      is7x24Calendar: calendar.continuous,
    },
    includedStatuses: statuses.included.map(statusJson),
    excludedStatuses: statuses.excluded.map(statusJson),
    deletedStatuses: statuses.deleted.map(statusJson),
    asOf: isoText(asOf),
    askedAt: isoText(askedAt),
    dataAsOf: dataAsOf === null ? null : isoText(dataAsOf),
    complete: provenance.complete,
  };
}

/** A workflow status on the wire. */
export function statusJson({ id, name, deleted, category, scope }: Status) {
  return {
    id,
    name,
    deleted,
    statusCategory: { name: category },
    ...(scope === undefined ? {} : { scopeProjectKey: scope }),
  };
}

/** Whether the history behind an issue's figures is whole, and if not, which time is unknown and why. */
export function historyJson({ history, unknown, contradictions }: IssueFacts) {
  if (history.complete) return { complete: true, contradictions };
  const { unknownFrom, unknownUntil, reason } = history;
  return {
    complete: false,
    unknownFrom: unknownFrom === null ? null : isoText(unknownFrom),
    unknownUntil: unknownUntil === null ? null : isoText(unknownUntil),
    unknownDuration: unknown?.ms ?? 0,
    reason,
    contradictions,
  };
}

export function headerJson(columns: readonly Column[]) {
  const titled = (part: Column['part']) =>
    columns.filter((column) => column.part === part).map(({ id, title }) => ({ id, value: title }));
  return {
    headerColumns: titled('header'),
    groupByColumns: titled('group'),
    fieldColumns: titled('field'),
    valueColumns: titled('value').map((column) => ({ ...column, isConsolidated: false })),
  };
}

function rowJson(issue: IssueFacts, table: Table, wording: Wording) {
  const cells = table.rows.find((row) => row.issueKey === issue.key)?.cells ?? issue.cells;
  const valueColumns = table.columns.filter((column) => column.part === 'value');
  const current = valueColumns.find((column) => column.id === issue.current?.columnId);
  return {
    ...ownCellsJson(issue, table.columns, wording),
    valueColumns: valueColumns.map((column) => valueJson(column, cellOf(cells, column.id), wording)),
    currentState:
      current === undefined ? [] : [withoutCount(valueJson(current, cellOf(cells, current.id), wording))],
    history: historyJson(issue),
  };
}

/** The cells an issue has whatever the report type. */
export function ownCellsJson({ cells }: IssueFacts, columns: readonly Column[], wording: Wording) {
  const texts = (part: Column['part']) =>
    columns
      .filter((column) => column.part === part)
      .map((column) => ({ id: column.id, value: ownText(column, cellOf(cells, column.id), wording) }));
  return { headerColumns: texts('header'), groupByColumns: texts('group'), fieldColumns: texts('field') };
}

function ownText(column: Column, cell: Cell | undefined, { formats, timeZone }: Wording): string {
  if (cell === undefined) return NEVER;
  return column.kind === 'instant' && typeof cell.value === 'number'
    ? dateText(cell.value, formats.dateTimeFormat, timeZone)
    : String(cell.value);
}

/** A value cell on the wire. */
interface ValueJson {
  readonly id: string;
  readonly value: string;
  readonly raw?: string;
  readonly count?: string;
}

/** A duration in the asked unit, with its whole milliseconds and its visits; "-" alone where there was no visit. */
function valueJson({ id }: Column, cell: Cell | undefined, { viewFormat, dayMs }: Wording): ValueJson {
  if (cell === undefined) return { id, value: NEVER };
  const raw = Math.round(Number(cell.value));
  return {
    id,
    value: durationText(Number(cell.value), viewFormat, dayMs),
    raw: String(raw),
    ...(cell.visits === undefined ? {} : { count: String(cell.visits) }),
  };
}

function withoutCount({ count: _, ...rest }: ValueJson): ValueJson {
  return rest;
}
