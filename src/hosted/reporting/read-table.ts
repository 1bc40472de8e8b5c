import { compareGroups } from '../../engine/collect-groups.ts';
import type { ReportType } from '../../engine/report-type.ts';
import type { Instant, Status } from '../../model/issue.ts';
import type { ReportRequest, Statistic } from '../../model/request.ts';
import type { CalendarFacts, Column, IssueFacts, Provenance, Row, Table } from '../../model/table.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { readJavaDate } from '../../time/read-java-dates.ts';
import { asPrincipal, dependsOnPrincipal } from './as-principal.ts';
import type { Asked } from './ask-report.ts';
import { isEverything } from './bounded.ts';
import { createCellReader } from './read-cell.ts';
import { readColumns } from './read-columns.ts';
import { type ReadIssue, type RowReading, readGroup, readIssue } from './read-rows.ts';
import { readVisits } from './read-visits.ts';
import type { ReportAnswer } from './report-answer.ts';

/** What reading an answer needs beside it. */
interface TableReading {
  readonly report: ReportType;
  readonly now: Instant;
  readonly calendar: CalendarFacts;
  readonly unreadable: (what: string) => Error;
  /** What is to be said of the answer. */
  readonly notes: readonly string[];
  /** Whether the creation was asked for by the principal, and not only to be known. */
  readonly showsCreated: boolean;
  /** Every status the service has told of so far. */
  readonly statuses: readonly Status[];
}

/** A list of issues, or the visits of one. `columns` are those of a list this is a part of. */
export function readList(asked: Asked, reading: TableReading, columns?: readonly Column[]): Table {
  const { answer } = asked;
  const known = columns ?? readColumns(answer, reading.report);
  const provenance = provenanceOf(asked, reading);
  const { rows: told } = answer.table.body;
  // The creation is read even where it is no column.
  const all = known.some(({ id }) => id === 'created')
    ? known
    : [...known, ...readColumns(answer, reading.report).filter(isCreated)];
  const { unreadable, statuses } = reading;
  const rowReading = { columns: all, asOf: provenance.asOf, unreadable, statuses };
  const read = told.map((row) => withVisits(readIssue(row, answer, rowReading), row, asked, rowReading));
  return {
    columns: reading.showsCreated ? known : known.filter((column) => !isCreated(column)),
    issues: withLeftOut(
      read.map(({ facts }) => facts),
      { report: reading.report, columns: known },
      answer,
    ),
    rows: read.flatMap(({ rows }) => rows),
    statuses: statusesOf(answer),
    composite: reading.report.composite,
    statistic: null,
    page: null,
    provenance: { ...provenance, issues: told.length },
  };
}

/** Groups of issues, in the order of what they have in common. */
export function readGroups(asked: Asked, reading: TableReading, statistic: Statistic): Table {
  const answer = withGroups(asked.answer);
  const columns = readColumns(answer, reading.report).filter(({ part }) => part !== 'header');
  const provenance = provenanceOf(asked, reading);
  const groupBy = columns.filter(({ part }) => part === 'group');
  const { unreadable, statuses } = reading;
  const rows = answer.table.body.rows
    .map((row) => readGroup(row, answer, { columns, asOf: provenance.asOf, unreadable, statuses }))
    .toSorted((a, b) => compareGroups(a.own, b.own, groupBy));
  return {
    columns,
    issues: [],
    rows,
    statuses: statusesOf(answer),
    composite: reading.report.composite,
    statistic,
    page: null,
    provenance: {
      ...provenance,
      issues: rows.reduce((sum, { issueCount = 0 }) => sum + issueCount, 0),
    },
  };
}

/** Which statuses are left out is told of all issues together: of a single one that is enough. */
function withLeftOut(
  issues: readonly IssueFacts[],
  { report, columns }: { readonly report: ReportType; readonly columns: readonly Column[] },
  { deletedStatuses }: ReportAnswer,
): readonly IssueFacts[] {
  const [only, ...others] = issues;
  if (only === undefined || others.length > 0) return issues;
  if (report.shape !== 'issue' || report.levels.join() !== 'status') return issues;
  const shown = new Set(columns.filter(({ part }) => part === 'value').map(({ id }) => id));
  const leftOut = deletedStatuses.filter(({ id }) => !shown.has(id)).map(({ name }) => name);
  return [{ ...only, leftOut }];
}

function isCreated({ id, part }: Column): boolean {
  return id === 'created' && part === 'field';
}

function withVisits(
  { facts, rows }: ReadIssue,
  told: ReportAnswer['table']['body']['rows'][number],
  { answer }: Asked,
  { asOf, unreadable }: RowReading,
): ReadIssue {
  const visits = told.expanded?.rows;
  if (visits === undefined) return { facts, rows };
  const { instant } = createCellReader(answer, unreadable);
  const lines = readVisits(visits, answer, { issueKey: facts.key, own: facts.cells, asOf, instant });
  const first = lines[0]?.cells.start?.value;
  const created = facts.cells.created === undefined && typeof first === 'number' ? first : facts.created;
  return { facts: { ...facts, created, current: currentOf(facts, lines) }, rows: lines };
}

/** An open visit tells since when; the beginning of a window is no beginning, but nothing tells them apart. */
function currentOf({ current }: IssueFacts, lines: readonly Row[]): IssueFacts['current'] {
  const open = lines.filter(({ cells }) => cells.end === undefined);
  return current.map((one) => {
    if (one.since !== null) return one;
    const start = open.find(({ cells }) => cells.value?.id === one.columnId)?.cells.start?.value;
    return typeof start === 'number' ? { ...one, since: start } : one;
  });
}

/** Some versions tell the values of a group where an issue has its key. */
function withGroups(answer: ReportAnswer): ReportAnswer {
  const { header, body } = answer.table;
  if (header.groupByColumns.length > 0) return answer;
  const moved = <Part extends Pick<typeof header, 'headerColumns' | 'groupByColumns'>>(part: Part) => ({
    ...part,
    groupByColumns: part.headerColumns,
    headerColumns: [],
  });
  return { ...answer, table: { header: moved(header), body: { rows: body.rows.map(moved) } } };
}

function statusesOf({
  includedStatuses,
  excludedStatuses,
  deletedStatuses,
}: ReportAnswer): Table['statuses'] {
  return { included: includedStatuses, excluded: excludedStatuses, deleted: deletedStatuses };
}

/** What the answer tells of itself. The product knows of no cut histories, and computes on the spot. */
function provenanceOf(
  { answer, request, trim, stoppedAt }: Asked,
  { report, now, calendar, notes }: TableReading,
): Provenance {
  const askedAt = answer.askedAt ?? now;
  const dated = answer.asOf ?? stoppedAt ?? reportDateOf(answer);
  const undated =
    dated === null && answer.reportDate
      ? [`As of is when the service was asked: its report date '${answer.reportDate}' could not be read.`]
      : [];
  const { creditedCategories, cutHistories, undecided, unaskedIssues } = answer;
  const provenance = {
    reportType: report.id,
    calendar,
    askedAt,
    asOf: dated ?? askedAt,
    dataAsOf: answer.dataAsOf ?? null,
    tracker: 'hosted',
    trim,
    timeZone: answer.timeZone,
    complete: answer.complete ?? true,
    issues: 0,
    cutHistories: cutHistories ?? 0,
    ...queryOf(request, answer),
    undecided: undecided ?? 0,
    ...(unaskedIssues ? { unasked: unaskedIssues } : {}),
    ...(creditedCategories ? { creditedCategories } : {}),
  };
  return withNotes(provenance, [...notes, ...undated]);
}

/** Null where it is not told, or in no pattern that is. */
function reportDateOf(answer: ReportAnswer): Instant | null {
  const { reportDate, dateFormat, dateTimeFormat, timeZone, locale } = answer;
  if (!reportDate) return null;
  const read = (pattern: string) =>
    readJavaDate(reportDate, { pattern, timeZone, locale: locale ?? 'en_US' });
  return read(dateTimeFormat) ?? read(dateFormat);
}

function queryOf({ selection, principal }: ReportRequest, { query }: ReportAnswer) {
  if (selection.by === 'keys') return { query: null };
  if (selection.by !== 'jql') return { query: query ?? null };
  const own = {
    query: isEverything(selection.jql)
      ? selection.jql
      : (query ?? asPrincipal(selection.jql, principal.account)),
  };
  return dependsOnPrincipal(selection.jql, principal.account)
    ? { ...own, dependsOnPrincipal: true as const }
    : own;
}
