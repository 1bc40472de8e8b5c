import type { Instant, Status } from '../../model/issue.ts';
import {
  type Cell,
  type Cells,
  type Column,
  cellOf,
  type IssueFacts,
  type MetricState,
  type Row,
} from '../../model/table.ts';
import { createCellReader } from './read-cell.ts';
import { readHistory } from './read-history.ts';
import type { ReportAnswer, RowAnswer } from './report-answer.ts';

/** How the lines of an answer are read. */
export interface RowReading {
  readonly columns: readonly Column[];
  readonly asOf: Instant;
  /** Every status the service has told of so far. */
  readonly statuses: readonly Status[];
  /** Fails where a text cannot be read. */
  readonly unreadable: (what: string) => Error;
}

/** An issue, what is told of it, and its line. */
export interface ReadIssue {
  readonly facts: IssueFacts;
  readonly rows: readonly Row[];
}

/** One issue and its line. Since when it is in its value only a service of our own tells. */
export function readIssue(told: RowAnswer, answer: ReportAnswer, reading: RowReading): ReadIssue {
  const read = createCellReader(answer, reading.unreadable);
  const { columns, asOf } = reading;
  const own = withStatusId(ownCellsOf(told, columns, read), told, reading.statuses);
  const key = String(own.issuekey?.value ?? '');
  if (key === '') throw reading.unreadable('tells an issue without its key.');
  const byId = new Map(told.valueColumns.map((cell) => [cell.id, cell]));
  const values = columns.filter((column) => column.part === 'value');
  const cells: Record<string, Cell> = {};
  const states: Record<string, MetricState> = {};
  for (const column of values) {
    const cell = byId.get(column.id);
    if (cell === undefined) continue;
    const value = read.value(column, cell);
    if (value !== null) cells[column.id] = value;
    if (cell.state) states[column.id] = cell.state;
  }
  const created = own.created?.value;
  const facts: IssueFacts = {
    key,
    cells: own,
    link: null,
    created: typeof created === 'number' ? created : asOf,
    current: told.currentState.flatMap(({ id, since = null }) => {
      const column = values.find((one) => one.id === id);
      const title = column?.title ?? visitedName(id, told) ?? statusName(id, answer);
      return title === null ? [] : [{ columnId: id, title, since }];
    }),
    ...readHistory(told.history, { created: typeof created === 'number' ? created : null, asOf }),
    leftOut: [],
  };
  const stated = Object.keys(states).length === 0 ? {} : { states };
  return { facts, rows: [{ issueKey: key, own, cells, ...stated }] };
}

/** One group of issues. */
export function readGroup(told: RowAnswer, answer: ReportAnswer, reading: RowReading): Row {
  const read = createCellReader(answer, reading.unreadable);
  const byId = new Map(told.valueColumns.map((cell) => [cell.id, cell]));
  const cells: Record<string, Cell> = {};
  for (const column of reading.columns) {
    const cell = column.part === 'value' ? byId.get(column.id) : undefined;
    const value = cell === undefined ? null : read.value(column, cell);
    if (value !== null) cells[column.id] = value;
  }
  return {
    issueKey: null,
    own: ownCellsOf(told, reading.columns, read),
    cells,
    issueCount: told.issueCount ?? 0,
  };
}

/**
 * Fields are told by name alone. Behind that of a status is the one the issue is told to be in, or the only one that is
 * called so.
 */
function withStatusId(own: Cells, told: RowAnswer, statuses: readonly Status[]): Cells {
  const cell = cellOf(own, 'status');
  if (cell === undefined) return own;
  const namesakes = statuses.filter(({ name }) => name === cell.value);
  const here = namesakes.find(({ id }) => told.currentState.some((one) => one.id === id));
  const found = here ?? (namesakes.length === 1 ? namesakes[0] : undefined);
  return found === undefined ? own : { ...own, status: { ...cell, id: found.id } };
}

/** What the visits of an issue call a value of any field. */
function visitedName(id: string, { expanded }: RowAnswer): string | null {
  const visit = expanded?.rows.find(({ statusId, valueId }) => (statusId ?? valueId) === id);
  return visit?.valueName ?? visit?.statusName ?? null;
}

/** The name of a status an answer tells of. */
export function statusName(id: string, answer: ReportAnswer): string | null {
  const { includedStatuses, excludedStatuses, deletedStatuses } = answer;
  const all = [...includedStatuses, ...excludedStatuses, ...deletedStatuses];
  return all.find((status) => status.id === id)?.name ?? null;
}

function ownCellsOf(
  { headerColumns, groupByColumns, fieldColumns }: RowAnswer,
  columns: readonly Column[],
  read: ReturnType<typeof createCellReader>,
): Record<string, Cell> {
  const cells: Record<string, Cell> = {};
  for (const { id, value } of [...headerColumns, ...groupByColumns, ...fieldColumns]) {
    const column = columns.find((one) => one.id === id && one.part !== 'value');
    const cell = column === undefined ? null : read.own(column, value);
    if (cell !== null) cells[id] = cell;
  }
  return cells;
}
