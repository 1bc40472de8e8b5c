import type { Cell, Column, IssueFacts, Row, Table } from '../../model/table.ts';
import { durationText } from '../../output/readable-text.ts';
import type { Wording } from '../../output/table-records.ts';
import { dateText, isoText } from '../../time/date-text.ts';
import { historyJson } from './history-json.ts';
import { outerJson } from './outer-json.ts';
import type { ReportFrame } from './report-frame.ts';
import { headerJson, ownCellsJson, sinceJson } from './report-json.ts';

/**
 * The visit-by-visit report. A row of `expanded.rows` is one visit with its `start`, `end` (null while open) and
 * `duration` (ms); `uniqueDate` and `value` tell the same start and duration under the names that clients of the
 * compatible product read. The unit asked for changes nothing here. The header names the statuses, for those clients look
 * the ids of visits up there.
 */
export function expandedJson(table: Table, frame: ReportFrame) {
  const rows = Map.groupBy(table.rows, (row) => row.issueKey);
  return {
    ...outerJson(table, frame),
    table: {
      header: headerJson([
        ...table.columns.filter((column) => column.part !== 'value'),
        ...statusColumns(table.rows),
      ]),
      body: {
        rows: table.issues.map((issue) => {
          const visits = rows.get(issue.key) ?? [];
          return {
            ...ownCellsJson(issue, table.columns, frame.wording),
            valueColumns: [],
            currentState: currentJson(issue, visits, frame.wording),
            history: historyJson(issue),
            expanded: {
              stats: statisticsJson(visitStatistics(visits)),
              rows: visits.map((visit) => visitJson(visit, frame.wording)),
            },
          };
        }),
      },
    },
  };
}

/** One column per status, in the order of the first visits. */
function statusColumns(visits: readonly Row[]): Column[] {
  const names = new Map<string, string>();
  for (const { cells } of visits) {
    const { field, value } = cells;
    if (field?.value !== 'status' || value?.id === undefined || names.has(value.id)) continue;
    names.set(value.id, String(value.value));
  }
  return [...names].map(([id, title]) => ({ id, title, kind: 'duration', part: 'value' }));
}

/** The value the issue is in, with the time of all its visits to it, as in the report of one issue. */
function currentJson({ current }: IssueFacts, visits: readonly Row[], { viewFormat, dayMs }: Wording) {
  const statistics = visitStatistics(visits);
  return current.map(({ columnId, since }) => {
    const total = statistics.find((one) => one.valueId === columnId)?.total ?? 0;
    return {
      id: columnId,
      value: durationText(total, viewFormat, dayMs),
      raw: String(Math.round(total)),
      since: sinceJson(since),
    };
  });
}

function visitJson({ cells }: Row, { formats, timeZone }: Wording) {
  const start = Number(cells.start?.value);
  const duration = Math.round(Number(cells.duration?.value));
  const by = cells.transitionedBy;
  return {
    uniqueDate: dateText(start, formats.dateTimeFormat, timeZone),
    ...valueId(cells),
    ...valueName(cells),
    value: duration,
    start: isoText(start),
    end: cells.end === undefined ? null : isoText(Number(cells.end.value)),
    duration,
    ...(by === undefined ? {} : { transitionedBy: by.value }),
  };
}

function valueId(cells: Row['cells']) {
  const id = cells.value?.id ?? null;
  const field = cells.field?.value;
  return field === 'status' ? { statusId: numeric(id) } : { fieldId: field, valueId: id };
}

function valueName(cells: Row['cells']) {
  const name: Cell['value'] | null = cells.value?.value ?? null;
  return cells.field?.value === 'status' ? { statusName: name } : { valueName: name };
}

/** What the visits of one value come to, in milliseconds; `valueId` null is "empty". */
interface VisitStatistics {
  readonly field: string | null;
  readonly valueId: string | null;
  readonly count: number;
  readonly total: number;
  readonly average: number;
  readonly min: number;
  readonly max: number;
}

/** The lines of a visit-by-visit report, condensed per field and value in order of first visit. */
function visitStatistics(rows: readonly Row[]): VisitStatistics[] {
  const groups = Map.groupBy(rows, (row) => `${row.cells.field?.value}\n${row.cells.value?.id ?? '\n'}`);
  return [...groups.values()].map((visits) => {
    const durations = visits.map((row) => Number(row.cells.duration?.value ?? 0));
    const total = durations.reduce((sum, ms) => sum + ms, 0);
    const cells = visits[0]?.cells;
    const field = cells?.field?.value;
    return {
      field: typeof field === 'string' ? field : null,
      valueId: cells?.value?.id ?? null,
      count: durations.length,
      total,
      average: Math.round(total / durations.length),
      min: durations.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      max: durations.reduce((a, b) => Math.max(a, b), 0),
    };
  });
}

function statisticsJson(statistics: readonly VisitStatistics[]) {
  const list = (figure: (one: VisitStatistics) => number) =>
    statistics.map((one) => ({
      ...(one.field === 'status'
        ? { statusId: numeric(one.valueId) }
        : { fieldId: one.field, valueId: one.valueId }),
      value: Math.round(figure(one)),
    }));
  return {
    visitCounts: list((one) => one.count),
    totalValues: list((one) => one.total),
    averageValues: list((one) => one.average),
    minValues: list((one) => one.min),
    maxValues: list((one) => one.max),
  };
}

/** Status ids are numbers in this answer, as clients expect; an id that is none stays text. */
function numeric(id: string | null): number | string | null {
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : id;
}
