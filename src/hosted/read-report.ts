import { compareGroups } from '../engine/collect-groups.ts';
import type { ReportType } from '../engine/report-type.ts';
import { withDistinctTitles } from '../engine/select-columns.ts';
import type { Instant } from '../model/issue.ts';
import type { ReportRequest, Statistic } from '../model/request.ts';
import {
  type CalendarFacts,
  type Cell,
  type Cells,
  type Column,
  type ColumnKind,
  cellOf,
  type IssueFacts,
  type MetricState,
  type Provenance,
  type Row,
  type Table,
} from '../model/table.ts';
import { withNotes } from '../output/provenance-sheet.ts';
import { statusVisitColumns, visitColumns } from '../reports/visit-lines.ts';
import { isoText } from '../time/iso-dates.ts';
import { readJavaDate } from '../time/read-java-dates.ts';
import { readHostedVisits } from './read-hosted-visits.ts';
import { type ReportAnswer, type RowAnswer, statusesIn } from './report-answer.ts';
import { askedFormats, asPrincipal, dependsOnPrincipal, isEverything } from './report-parameters.ts';

/** Stands for "never". */
const NEVER = '-';

/** An answer, and what reading it needs. */
export interface ReportReading {
  readonly answer: ReportAnswer;
  /** What was asked for, by its principal. */
  readonly request: ReportRequest;
  /** The instant at which the history was trimmed in place of `asOf`; null where it was not. */
  readonly stoppedAt: Instant | null;
  readonly report: ReportType;
  readonly now: Instant;
  readonly calendar: CalendarFacts;
  readonly notes: readonly string[];
  readonly unreadable: (what: string) => Error;
}

/** A list of issues, or the visits of one. The creation is read also where it is no column that was asked for. */
export function readList(reading: ReportReading): Table {
  const { answer, report, request } = reading;
  const columns = readColumns(answer, report);
  const provenance = provenanceOf(reading);
  const { rows } = answer.table.body;
  const read = rows.map((row) => readIssue(row, columns, provenance.asOf, reading));
  const showsCreated = request.fields.some((id) => id.toLowerCase() === 'created');
  const shown = columns.filter(({ id, part }) => showsCreated || id !== 'created' || part !== 'field');
  const issues = read.map(({ facts }) => facts);
  return {
    columns: shown,
    issues: withLeftOut(issues, shown, reading),
    rows: read.flatMap((one) => one.rows),
    ...tableFrame(reading),
    statistic: null,
    provenance: { ...provenance, issues: rows.length },
  };
}

/** Groups of issues, in the order of what they have in common. */
export function readGroups(reading: ReportReading, statistic: Statistic): Table {
  const { answer, report } = reading;
  const columns = readColumns(answer, report).filter(({ part }) => part !== 'header');
  const groupBy = columns.filter(({ part }) => part === 'group');
  const rows = answer.table.body.rows
    .map((row) => ({
      issueKey: null,
      own: ownCells(row, columns, reading),
      cells: valueCells(row, columns, reading),
      issueCount: row.issueCount ?? 0,
    }))
    .sort((a, b) => compareGroups(a.own, b.own, groupBy));
  const issues = rows.reduce((sum, { issueCount }) => sum + issueCount, 0);
  return {
    columns,
    issues: [],
    rows,
    ...tableFrame(reading),
    statistic,
    provenance: { ...provenanceOf(reading), issues },
  };
}

function tableFrame({ answer, report }: ReportReading): Pick<Table, 'statuses' | 'composite' | 'page'> {
  const { includedStatuses: included, excludedStatuses: excluded, deletedStatuses: deleted } = answer;
  return { statuses: { included, excluded, deleted }, composite: report.composite, page: null };
}

const fieldKinds: Readonly<Record<string, ColumnKind>> = {
  created: 'instant',
  updated: 'instant',
  resolutiondate: 'instant',
  duedate: 'day',
  'calc:leadTime': 'duration',
  'calc:age': 'duration',
  'calc:currentStatusAge': 'duration',
  'calc:transitions': 'count',
};

/** By the header, what is known of fields, and how the cells are written. */
function readColumns(answer: ReportAnswer, report: ReportType): Column[] {
  const { header, body } = answer.table;
  const fieldColumn =
    (part: 'field' | 'group') =>
    ({ id, value: title }: { readonly id: string; readonly value: string }): Column => {
      const texts = body.rows
        .flatMap((row) => (part === 'field' ? row.fieldColumns : row.groupByColumns))
        .flatMap((cell) => (cell.id === id && cell.value !== NEVER ? [cell.value] : []));
      return { id, title, kind: fieldKinds[id] ?? kindWritten(texts, answer), part };
    };
  const visits = report.levels.includes('status') ? statusVisitColumns : visitColumns;
  const values: readonly Column[] =
    report.shape === 'issue'
      ? header.valueColumns.map((column) => valueColumn(column, report))
      : visits.map(({ id, title, kind, part }) => ({ id, title, kind, part }));
  return withDistinctTitles([
    ...header.headerColumns.map(
      ({ id, value }): Column => ({ id, title: value, kind: 'text', part: 'header' }),
    ),
    ...header.groupByColumns.map(fieldColumn('group')),
    ...header.fieldColumns.map(fieldColumn('field')),
    ...values,
  ]);
}

function valueColumn(
  column: ReportAnswer['table']['header']['valueColumns'][number],
  { kind, composite }: ReportType,
): Column {
  const { id, value: title, isConsolidated, parentId, parentValue, childId, childValue, standIn } = column;
  const titled = (one: { readonly id: string; readonly value: string }) => ({ id: one.id, title: one.value });
  return {
    id,
    title,
    kind,
    part: 'value',
    ...(isConsolidated ? { consolidated: true } : {}),
    ...(composite && parentId && childId
      ? { parent: { id: parentId, title: parentValue }, child: { id: childId, title: childValue } }
      : {}),
    ...(standIn
      ? {
          standIn: {
            owner: titled(standIn.owner),
            delegate: titled(standIn.delegate),
            category: { id: standIn.category.id, name: standIn.category.value },
          },
        }
      : {}),
  };
}

const writtenDay = /^\d{4}-\d\d-\d\d$/;
const writtenInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/;

/** Only the patterns that we ask for are like nothing else; what was never filled in is text. */
function kindWritten(texts: readonly string[], { dateFormat, dateTimeFormat }: ReportAnswer): ColumnKind {
  const areLike = (pattern: RegExp) => texts.length > 0 && texts.every((text) => pattern.test(text));
  if (dateTimeFormat === askedFormats.dateTimeFormat && areLike(writtenInstant)) return 'instant';
  return dateFormat === askedFormats.dateFormat && areLike(writtenDay) ? 'day' : 'text';
}

function readIssue(
  row: RowAnswer,
  columns: readonly Column[],
  asOf: Instant,
  reading: ReportReading,
): { readonly facts: IssueFacts; readonly rows: readonly Row[] } {
  const { answer, report } = reading;
  const own = withStatusId(ownCells(row, columns, reading), row, answer);
  const key = String(own.issuekey?.value ?? '');
  if (key === '') throw reading.unreadable('tells an issue without its key.');
  const cells = valueCells(row, columns, reading);
  const states: Record<string, MetricState> = {};
  for (const { id, state } of row.valueColumns) if (state) states[id] = state;
  const created = typeof own.created?.value === 'number' ? own.created.value : null;
  const facts: IssueFacts = {
    key,
    cells: own,
    link: null,
    created: created ?? asOf,
    current: row.currentState.flatMap(({ id, since = null }) => {
      const title = titleOfValue(id, { row, columns, answer });
      return title === null ? [] : [{ columnId: id, title, since }];
    }),
    ...historyOf(row, { created, asOf }),
    leftOut: [],
  };
  if (report.shape === 'issue') {
    const stated = Object.keys(states).length === 0 ? {} : { states };
    return { facts, rows: [{ issueKey: key, own, cells, ...stated }] };
  }
  const lines = readHostedVisits(row.expanded?.rows ?? [], answer, {
    issueKey: key,
    own,
    asOf,
    instant: (text) => instantOf(text, reading),
  });
  const first = lines[0]?.cells.start?.value;
  return {
    facts: {
      ...facts,
      created: created === null && typeof first === 'number' ? first : facts.created,
      current: facts.current.map((one) => ({ ...one, since: one.since ?? openSince(one.columnId, lines) })),
    },
    rows: lines,
  };
}

/** When the open visit of a value began. */
function openSince(id: string, visits: readonly Row[]): Instant | null {
  const open = visits.find(({ cells }) => cells.end === undefined && cells.value?.id === id);
  const start = open?.cells.start?.value;
  return typeof start === 'number' ? start : null;
}

function titleOfValue(
  id: string,
  {
    row,
    columns,
    answer,
  }: { readonly row: RowAnswer; readonly columns: readonly Column[]; readonly answer: ReportAnswer },
): string | null {
  const column = columns.find((one) => one.part === 'value' && one.id === id);
  const visit = row.expanded?.rows.find(({ statusId, valueId }) => (statusId ?? valueId) === id);
  const status = statusesIn(answer).find((one) => one.id === id);
  return column?.title ?? visit?.valueName ?? visit?.statusName ?? status?.name ?? null;
}

/** What is known of an issue's history; the product knows of no cut ones. */
function historyOf(
  { history }: RowAnswer,
  { created, asOf }: { readonly created: Instant | null; readonly asOf: Instant },
): Pick<IssueFacts, 'history' | 'unknown' | 'contradictions'> {
  const contradictions = history?.contradictions ?? 0;
  if (!history || history.complete) return { history: { complete: true }, unknown: null, contradictions };
  const { unknownFrom = null, unknownUntil = null, unknownDuration: ms, reason } = history;
  const from = unknownFrom ?? created ?? asOf;
  return {
    history: { complete: false, unknownFrom, unknownUntil, reason: reason ?? 'The history is cut.' },
    unknown: ms ? { from, until: unknownUntil ?? asOf, ms } : null,
    contradictions,
  };
}

/** Fields come by name alone. A status's id is that of the current state, or of the only status called so. */
function withStatusId(own: Cells, row: RowAnswer, answer: ReportAnswer): Cells {
  const cell = cellOf(own, 'status');
  if (cell === undefined) return own;
  const ids = new Set(statusesIn(answer).flatMap(({ id, name }) => (name === cell.value ? [id] : [])));
  const [only, ...others] = ids;
  const current = row.currentState.find((one) => ids.has(one.id))?.id;
  const id = current ?? (others.length === 0 ? only : undefined);
  return id === undefined ? own : { ...own, status: { ...cell, id } };
}

/** Which statuses are left out is said of all issues together: of a single one that is enough. */
function withLeftOut(
  issues: readonly IssueFacts[],
  columns: readonly Column[],
  { report, answer }: ReportReading,
): readonly IssueFacts[] {
  const [only, ...others] = issues;
  if (only === undefined || others.length > 0) return issues;
  if (report.shape !== 'issue' || report.levels.join() !== 'status') return issues;
  const shown = new Set(columns.filter(({ part }) => part === 'value').map(({ id }) => id));
  const leftOut = answer.deletedStatuses.filter(({ id }) => !shown.has(id)).map(({ name }) => name);
  return [{ ...only, leftOut }];
}

function valueCells(
  row: RowAnswer,
  columns: readonly Column[],
  reading: ReportReading,
): Record<string, Cell> {
  const byId = new Map(row.valueColumns.map((cell) => [cell.id, cell]));
  const cells: Record<string, Cell> = {};
  for (const column of columns) {
    const cell = column.part === 'value' ? byId.get(column.id) : undefined;
    if (cell !== undefined && cell.value !== NEVER) cells[column.id] = valueCell(column, cell, reading);
  }
  return cells;
}

/** Durations are read from their milliseconds, or else from seconds with decimals. */
function valueCell(
  { kind, title }: Column,
  cell: RowAnswer['valueColumns'][number],
  reading: ReportReading,
): Cell {
  const { value, raw, count } = cell;
  if (kind === 'instant') return { value: instantOf(value, reading) };
  const amount = raw ? Number(raw) : amountOf(kind, value);
  if (!Number.isFinite(amount)) {
    throw reading.unreadable(`tells '${raw ?? value}' in the column ${title}, which is no figure.`);
  }
  const visits = count ? Number(count) : Number.NaN;
  return Number.isFinite(visits) ? { value: amount, visits } : { value: amount };
}

/** Cells of what an issue or a group is itself; what is not written as its kind is, is text. */
function ownCells(row: RowAnswer, columns: readonly Column[], reading: ReportReading): Record<string, Cell> {
  const cells: Record<string, Cell> = {};
  for (const { id, value: text } of [...row.headerColumns, ...row.groupByColumns, ...row.fieldColumns]) {
    const kind = columns.find((one) => one.id === id && one.part !== 'value')?.kind;
    if (kind !== undefined && text !== NEVER) cells[id] = { value: ownValue(kind, text, reading.answer) };
  }
  return cells;
}

function ownValue(kind: ColumnKind, text: string, answer: ReportAnswer): string | number {
  switch (kind) {
    case 'text':
      return text;
    case 'instant':
      return dateIn(text, answer) ?? text;
    case 'day': {
      // A day is of no zone.
      const at = dateIn(text, { ...answer, timeZone: 'UTC', dateTimeFormat: answer.dateFormat });
      return at === null ? text : isoText(at).slice(0, 10);
    }
    default: {
      const amount = amountOf(kind, text);
      return Number.isFinite(amount) ? amount : text;
    }
  }
}

function instantOf(text: string, { answer, unreadable }: ReportReading): Instant {
  const at = dateIn(text, answer);
  if (at !== null) return at;
  throw unreadable(`tells the date '${text}', which is not written as its dateTimeFormat says.`);
}

/** Null for a text in none of the patterns that the answer names. */
function dateIn(
  text: string,
  { dateFormat, dateTimeFormat, timeZone, locale }: ReportAnswer,
): Instant | null {
  const writing = { timeZone, locale: locale ?? 'en_US' };
  return (
    readJavaDate(text, { ...writing, pattern: dateTimeFormat }) ??
    readJavaDate(text, { ...writing, pattern: dateFormat })
  );
}

function amountOf(kind: ColumnKind, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return Number.NaN;
  return kind === 'duration' ? Math.round(Number(text) * 1000) : Number(text);
}

/** What the answer says of itself. The product knows of no cut histories, and computes on the spot. */
function provenanceOf({
  answer,
  request,
  stoppedAt,
  report,
  now,
  calendar,
  notes,
}: ReportReading): Provenance {
  const askedAt = answer.askedAt ?? now;
  const { reportDate, unaskedIssues, creditedCategories } = answer;
  const dated = answer.asOf ?? stoppedAt ?? (reportDate ? dateIn(reportDate, answer) : null);
  const undated =
    dated === null && reportDate
      ? [`As of is when the service was asked: its report date '${reportDate}' could not be read.`]
      : [];
  const provenance = {
    reportType: report.id,
    calendar,
    askedAt,
    asOf: dated ?? askedAt,
    dataAsOf: answer.dataAsOf ?? null,
    tracker: 'hosted',
    trim: request.trim,
    timeZone: answer.timeZone,
    complete: answer.complete ?? true,
    issues: 0,
    cutHistories: answer.cutHistories ?? 0,
    ...queryOf(request, answer),
    undecided: answer.undecided ?? 0,
    ...(unaskedIssues ? { unasked: unaskedIssues } : {}),
    ...(creditedCategories ? { creditedCategories } : {}),
  };
  return withNotes(provenance, [...notes, ...undated]);
}

function queryOf({ selection, principal }: ReportRequest, answer: ReportAnswer) {
  if (selection.by === 'keys') return { query: null };
  if (selection.by !== 'jql') return { query: answer.query ?? null };
  const { jql } = selection;
  const query = isEverything(jql) ? jql : (answer.query ?? asPrincipal(jql, principal.account));
  return dependsOnPrincipal(jql, principal.account)
    ? { query, dependsOnPrincipal: true as const }
    : { query };
}
