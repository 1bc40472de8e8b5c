import { millisecondsInMinute } from 'date-fns/constants';
import { compareGroups } from '../engine/measure/collect-groups.ts';
import { inWorkflowOrder } from '../engine/measure/column-order.ts';
import { withDistinctTitles } from '../engine/measure/select-columns.ts';
import type { ReportType } from '../engine/reports/measuring/report-type.ts';
import { statusVisitColumns, visitColumns } from '../engine/reports/visit-lines.ts';
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
  type IssueLines,
  type MetricState,
  type Provenance,
  type Row,
  type Table,
} from '../model/table.ts';
import { withNotes } from '../output/provenance-sheet.ts';
import { isoText } from '../time/date-text.ts';
import { readJavaDate } from '../time/read-java-dates.ts';
import { type ReportAnswer, type RowAnswer, statusesIn, type VisitAnswer } from './report-answer.ts';
import { askedFormats, asPrincipal, isEverything, namesPrincipal } from './report-parameters.ts';

/** Stands for "never". */
const NEVER = '-';

/** An answer, and what reading it needs. */
export interface ReportReading {
  readonly answer: ReportAnswer;
  /** The request of the answer. */
  readonly request: ReportRequest;
  /** The instant at which the history was trimmed in place of `asOf`; null where it was not. */
  readonly stoppedAt: Instant | null;
  readonly report: ReportType;
  readonly now: Instant;
  readonly calendar: CalendarFacts;
  readonly notes: readonly string[];
  readonly unreadable: (what: string) => Error;
}

/** A list of issues, or the visits of one. Their creation is read also where the request has no such column. */
export function readListAnswer(reading: ReportReading): Table {
  const { answer, report, request } = reading;
  const { rows } = answer.table.body;
  const columns = readColumns(reading);
  const provenance = { ...provenanceOf(reading), issues: rows.length };
  const lines = rows.map((row) => readIssue(row, columns, provenance.asOf, reading));
  const showsCreated = request.fields.some((id) => id.toLowerCase() === 'created');
  const shown = columns.filter(({ id, part }) => showsCreated || id !== 'created' || part !== 'field');
  const ids = new Set(shown.filter(({ part }) => part === 'value').map(({ id }) => id));
  // The answer names what is left out of all issues together, so it is known of a single one only.
  const isKnown = lines.length === 1 && report.shape === 'issue' && report.levels.join() === 'status';
  const leftOut = isKnown
    ? answer.deletedStatuses.filter(({ id }) => !ids.has(id)).map(({ name }) => name)
    : [];
  return {
    ...tableFrame(reading),
    columns: shown,
    issues: lines.map(({ facts }) => ({ ...facts, leftOut })),
    rows: lines.flatMap((one) => one.rows),
    provenance,
  };
}

/** Groups of issues, in the order of what they have in common. */
export function readGroupsAnswer(reading: ReportReading, statistic: Statistic): Table {
  const { answer } = reading;
  const columns = readColumns(reading).filter(({ part }) => part !== 'header');
  const groupBy = columns.filter(({ part }) => part === 'group');
  const rows = answer.table.body.rows.map((row) => {
    const [own, cells] = [ownCells(row, columns, answer), valueCells(row, columns, reading)];
    return { issueKey: null, own, cells, issueCount: row.issueCount ?? 0 };
  });
  const issues = rows.reduce((sum, { issueCount }) => sum + issueCount, 0);
  return {
    ...tableFrame(reading),
    columns,
    rows: rows.sort((a, b) => compareGroups(a.own, b.own, groupBy)),
    statistic,
    provenance: { ...provenanceOf(reading), issues },
  };
}

function tableFrame({ answer, report }: ReportReading) {
  const { includedStatuses: included, excludedStatuses: excluded, deletedStatuses: deleted } = answer;
  const statuses = { included, excluded, deleted };
  return { statuses, composite: report.composite, issues: [], statistic: null, page: null };
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

/** By the header, what is known of fields, and how their cells are written. */
function readColumns(reading: ReportReading): Column[] {
  const { answer, report } = reading;
  const { header, body } = answer.table;
  const textsOf = (part: 'fieldColumns' | 'groupByColumns', id: string) =>
    body.rows.flatMap((row) => row[part]).flatMap((cell) => (cell.id === id ? [cell.value] : []));
  const fieldKind = (part: 'fieldColumns' | 'groupByColumns') => (id: string) =>
    fieldKinds[id] ?? kindWritten(textsOf(part, id), answer);
  const visits = report.levels.includes('status') ? statusVisitColumns : visitColumns;
  const values: readonly Column[] =
    report.shape === 'visit'
      ? visits.map(({ id, title, kind, part }) => ({ id, title, kind, part }))
      : header.valueColumns.map((one) => ({ ...one, kind: report.kind, part: 'value' }));
  const kindOf = { group: fieldKind('groupByColumns'), field: fieldKind('fieldColumns') };
  return withDistinctTitles([
    ...header.headerColumns.map((one): Column => ({ ...one, kind: 'text', part: 'header' })),
    ...header.groupByColumns.map((one): Column => ({ ...one, kind: kindOf.group(one.id), part: 'group' })),
    ...header.fieldColumns.map((one): Column => ({ ...one, kind: kindOf.field(one.id), part: 'field' })),
    ...inOrder(values, reading),
  ]);
}

/** A service has an order of its own: categories come first, unless statuses were named, or one issue came to them. */
function inOrder(columns: readonly Column[], { answer, report, request }: ReportReading): readonly Column[] {
  const isList = request.statistic === null && answer.table.body.rows.length < 2;
  if (report.levels.join() !== 'status' || request.statuses !== null || isList) return columns;
  const statuses = new Map(statusesIn(answer).map((status) => [status.id, status]));
  const known = columns.flatMap(({ id }) => statuses.get(id) ?? []);
  const rank = new Map(inWorkflowOrder(known).map(({ id }, i) => [id, i]));
  const rankOf = ({ id }: Column) => rank.get(id) ?? known.length;
  return columns.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const writtenDay = /^\d{4}-\d\d-\d\d$/;
const writtenInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/;

/** Only the patterns that we ask for are like nothing else; what was never filled in is text. */
function kindWritten(all: readonly string[], { dateFormat, dateTimeFormat }: ReportAnswer): ColumnKind {
  const texts = all.filter((text) => text !== NEVER);
  const areLike = (pattern: RegExp) => texts.length > 0 && texts.every((text) => pattern.test(text));
  if (dateTimeFormat === askedFormats.dateTimeFormat && areLike(writtenInstant)) return 'instant';
  return dateFormat === askedFormats.dateFormat && areLike(writtenDay) ? 'day' : 'text';
}

function readIssue(
  row: RowAnswer,
  columns: readonly Column[],
  asOf: Instant,
  reading: ReportReading,
): IssueLines {
  const { answer, report } = reading;
  const own = withStatusId(ownCells(row, columns, answer), row, answer);
  const key = String(own.issuekey?.value ?? '');
  if (key === '') throw reading.unreadable('returns an issue without its key.');
  const cells = valueCells(row, columns, reading);
  const states: Record<string, MetricState> = {};
  for (const { id, state } of row.valueColumns) if (state) states[id] = state;
  const visits = row.expanded?.rows ?? [];
  const lines =
    report.shape === 'visit'
      ? readVisitLines(visits, { issueKey: key, own }, asOf, reading)
      : [{ issueKey: key, own, cells, ...(Object.keys(states).length === 0 ? {} : { states }) }];
  const numberIn = (line: (typeof lines)[number] | undefined, id: string) => {
    const value = report.shape === 'visit' ? line?.cells[id]?.value : undefined;
    return typeof value === 'number' ? value : null;
  };
  const written = typeof own.created?.value === 'number' ? own.created.value : null;
  const created = written ?? numberIn(lines[0], 'start') ?? asOf;
  const current = row.currentState.flatMap(({ id, since }) => {
    const visit = visits.find(({ statusId, valueId }) => (statusId ?? valueId) === id);
    const column = columns.find((one) => one.part === 'value' && one.id === id);
    const status = statusesIn(answer).find((one) => one.id === id);
    const title = column?.title ?? visit?.valueName ?? visit?.statusName ?? status?.name;
    // The open visit of a value began when the issue came into it.
    const open = lines.find((line) => line.cells.end === undefined && line.cells.value?.id === id);
    return title === undefined ? [] : [{ columnId: id, title, since: since ?? numberIn(open, 'start') }];
  });
  const facts = {
    key,
    cells: own,
    link: null,
    created,
    current,
    ...historyOf(row, written, asOf),
    leftOut: [],
  };
  return { facts, rows: lines };
}

/** The completeness of an issue's history; the product knows of no cut ones. */
function historyOf(
  { history }: RowAnswer,
  created: Instant | null,
  asOf: Instant,
): Pick<IssueFacts, 'history' | 'unknown' | 'contradictions'> {
  const contradictions = history?.contradictions ?? 0;
  if (!history || history.complete) return { history: { complete: true }, unknown: null, contradictions };
  const { unknownFrom = null, unknownUntil = null, unknownDuration: ms, reason } = history;
  const span = { from: unknownFrom ?? created ?? asOf, until: unknownUntil ?? asOf };
  return {
    history: { complete: false, unknownFrom, unknownUntil, reason: reason ?? 'The history is cut.' },
    unknown: ms ? { ...span, ms } : null,
    contradictions,
  };
}

/** Fields come by name alone. A status's id is that of the current state, or of the only status called so. */
function withStatusId(own: Cells, row: RowAnswer, answer: ReportAnswer): Cells {
  const cell = cellOf(own, 'status');
  const named = statusesIn(answer).filter(({ name }) => name === cell?.value);
  const ids = new Set(named.map(({ id }) => id));
  const id =
    row.currentState.find((one) => ids.has(one.id))?.id ?? (ids.size === 1 ? named[0]?.id : undefined);
  return cell === undefined || id === undefined ? own : { ...own, status: { ...cell, id } };
}

function valueCells(
  row: RowAnswer,
  columns: readonly Column[],
  reading: ReportReading,
): Record<string, Cell> {
  const byId = new Map(row.valueColumns.map((cell) => [cell.id, cell]));
  const cells: Record<string, Cell> = {};
  for (const { id, part, kind, title } of columns) {
    const cell = part === 'value' ? byId.get(id) : undefined;
    if (cell === undefined || cell.value === NEVER) continue;
    const { value: text, raw, count } = cell;
    const value = kind === 'instant' ? instantOf(text, reading) : raw ? Number(raw) : amountOf(kind, text);
    if (!Number.isFinite(value)) {
      throw reading.unreadable(`returns '${raw ?? text}' in the column ${title}, which is not a figure.`);
    }
    const visits = count ? Number(count) : Number.NaN;
    cells[id] = Number.isFinite(visits) ? { value, visits } : { value };
  }
  return cells;
}

/** Cells of what an issue or a group is itself; what is not written as its kind is, is text. */
function ownCells(row: RowAnswer, columns: readonly Column[], answer: ReportAnswer): Record<string, Cell> {
  const cells: Record<string, Cell> = {};
  for (const { id, value: text } of [...row.headerColumns, ...row.groupByColumns, ...row.fieldColumns]) {
    const kind = columns.find((one) => one.id === id && one.part !== 'value')?.kind;
    if (kind !== undefined && text !== NEVER) cells[id] = { value: ownValue(kind, text, answer) ?? text };
  }
  return cells;
}

function ownValue(kind: ColumnKind, text: string, answer: ReportAnswer): string | number | null {
  if (kind === 'text') return text;
  if (kind === 'instant') return dateIn(text, answer);
  if (kind === 'day') {
    // A day is of no zone.
    const at = dateIn(text, { ...answer, timeZone: 'UTC', dateTimeFormat: answer.dateFormat });
    return at === null ? null : isoText(at).slice(0, 10);
  }
  const amount = amountOf(kind, text);
  return Number.isFinite(amount) ? amount : null;
}

function instantOf(text: string, { answer, unreadable }: ReportReading): Instant {
  const at = dateIn(text, answer);
  if (at !== null) return at;
  throw unreadable(`returns the date '${text}', which is not written as its dateTimeFormat says.`);
}

/** Null for a text in none of the patterns that the answer names. */
function dateIn(text: string, answer: ReportAnswer): Instant | null {
  const { dateFormat, dateTimeFormat, timeZone, locale } = answer;
  const read = (pattern: string) => readJavaDate(text, { pattern, timeZone, locale: locale ?? 'en_US' });
  return read(dateTimeFormat) ?? read(dateFormat);
}

/** Durations come in seconds with decimals. */
function amountOf(kind: ColumnKind, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return Number.NaN;
  return kind === 'duration' ? Math.round(Number(text) * 1000) : Number(text);
}

/** The provenance of an answer. The product knows of no cut histories, and computes on the spot. */
function provenanceOf(reading: ReportReading): Provenance {
  const { answer, request, stoppedAt, report, now, calendar, notes } = reading;
  const { askedAt, reportDate, unaskedIssues: unasked, creditedCategories } = answer;
  const dated = answer.asOf ?? stoppedAt ?? (reportDate ? dateIn(reportDate, answer) : null);
  const isUndated = dated === null && Boolean(reportDate);
  const { undecided } = answer;
  const cutRows = answer.table.body.rows.filter(({ history }) => history?.complete === false);
  const cutHistories = answer.cutHistories ?? cutRows.length;
  const hasDoubts = cutHistories > 0 || Boolean(undecided) || Boolean(unasked);
  const undated = `As of is when the service was asked: its report date '${reportDate}' could not be read.`;
  const provenance = {
    reportType: report.id,
    calendar,
    askedAt: askedAt ?? now,
    asOf: dated ?? askedAt ?? now,
    dataAsOf: answer.dataAsOf ?? null,
    tracker: 'hosted',
    trim: request.trim,
    timeZone: answer.timeZone,
    // A service that leaves this out may say it all the same.
    complete: answer.complete ?? !hasDoubts,
    issues: 0,
    cutHistories,
    ...queryOf(request, answer),
    undecided: undecided ?? 0,
    ...(unasked ? { unasked } : {}),
    ...(creditedCategories ? { creditedCategories } : {}),
  };
  return withNotes(provenance, isUndated ? [...notes, undated] : notes);
}

function queryOf({ selection, principal }: ReportRequest, answer: ReportAnswer) {
  if (selection.by === 'keys') return { query: null };
  if (selection.by !== 'jql') return { query: answer.query ?? null };
  const { jql } = selection;
  const query = isEverything(jql) ? jql : (answer.query ?? asPrincipal(jql, principal.account));
  return namesPrincipal(jql, principal.account) ? { query, dependsOnPrincipal: true as const } : { query };
}

/**
 * One line per visit. By the contract a visit has a start and an end; the product gives one date, which is taken for the
 * start unless only as the end it fits the time spent.
 */
function readVisitLines(
  visits: readonly VisitAnswer[],
  { issueKey, own }: Pick<Row, 'issueKey' | 'own'>,
  asOf: Instant,
  reading: ReportReading,
): Row[] {
  const { answer } = reading;
  const isDated = visits.every(({ start }) => start !== null && start !== undefined);
  const dates = visits.map(({ uniqueDate, start }) => start ?? instantOf(uniqueDate, reading));
  const areEnds = !isDated && answer.calendar?.is7x24Calendar !== false && fitAsEnds(dates, visits, asOf);
  return visits.map((visit, i) => {
    const { fieldId, statusId, valueId, statusName, valueName, value: duration } = visit;
    const date = dates[i] ?? asOf;
    const start = areEnds ? (dates[i - 1] ?? date - duration) : date;
    const isLast = i === dates.length - 1;
    const until = areEnds ? (isLast && isSame(date, asOf) ? null : date) : dates[i + 1];
    const end = (isDated ? visit.end : until) ?? null;
    // The person named beside the end of a visit began the next one.
    const by = (areEnds ? visits[i - 1] : visit)?.transitionedBy;
    const id = statusId ?? valueId;
    const status = statusesIn(answer).find((one) => one.id === id);
    const title = statusName ?? valueName ?? status?.name ?? id;
    const cells: Record<string, Cell> = {
      field: { value: fieldId ?? 'status' },
      ...(id && title ? { value: { value: title, id }, valueId: { value: id } } : {}),
      start: { value: start },
      ...(end === null ? {} : { end: { value: end } }),
      duration: { value: duration },
      ...(by ? { transitionedBy: { value: by } } : {}),
    };
    return { issueKey, own, cells };
  });
}

/** With a 24/7 calendar, each date follows from its neighbor and the time spent between. */
function fitAsEnds(dates: readonly Instant[], visits: readonly VisitAnswer[], asOf: Instant): boolean {
  const matches = (shift: 0 | 1) =>
    dates.every((date, i) => isSame(date + (visits[i + shift]?.value ?? 0), dates[i + 1] ?? asOf));
  return matches(1) && !matches(0);
}

/** Dates come to the minute: a time between two of them may be off by nearly one each way. */
function isSame(a: Instant, b: Instant): boolean {
  return Math.abs(a - b) <= millisecondsInMinute;
}
