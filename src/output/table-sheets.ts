import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { CycleTime } from '../model/answer.ts';
import type { AggregationType } from '../model/request.ts';
import {
  type Cell,
  type Column,
  cellIn,
  type IssueLines,
  type Row,
  type Table,
  type TableHead,
} from '../model/table.ts';
import { dateText } from '../time/date-text.ts';
import { decimalText, durationWords, unitLengths } from './readable-text.ts';
import {
  historiesText,
  issueHistoryText,
  ownTitles,
  splitColumns,
  type TableWording,
} from './table-records.ts';
import type { Sheet, SheetColumn, SheetRow, SheetValue } from './workbook.ts';

/** Cycle times of issues, by key. */
type CycleTimesByKey = (keys: readonly string[]) => Promise<ReadonlyMap<string, CycleTime>>;

/**
 * The sheet of a list: a row per line, the state of each issue's history behind it, and before it the cycle time where
 * there is a source of them. Its lines are read as it is.
 */
export function listSheet(
  head: TableHead,
  lines: AsyncIterable<readonly IssueLines[]>,
  wording: TableWording,
  cycleTimes: CycleTimesByKey | null = null,
): Sheet {
  const titles = head.columns.map((column) => column.title);
  const ours: readonly Column[] = [
    ...(cycleTimes === null
      ? []
      : [cycleColumn, noCycleColumn].map((column) => ({ ...column, title: ownTitle(column.title, titles) }))),
    ...(head.hasUnknown ? [{ ...unknownColumn, title: ownTitle('Unknown', titles) }] : []),
    { ...historyColumn, title: ownTitle('History', titles) },
  ];
  return {
    id: 'list',
    name: 'List',
    columns: [...head.columns, ...ours].map((column) => sheetColumn(column, wording)),
    rows: listRows(head, lines, wording, cycleTimes),
  };
}

async function* listRows(
  { columns, hasUnknown }: TableHead,
  lines: AsyncIterable<readonly IssueLines[]>,
  wording: TableWording,
  cycleTimes: CycleTimesByKey | null,
): AsyncGenerator<SheetRow[]> {
  const readers = columns.map((column) => cellReader(column, wording));
  const unknownOf = cellReader(unknownColumn, wording);
  const cycleOf = cellReader(cycleColumn, wording);
  const cycleCells = (cycle: CycleTime = { reason: 'the issue can no longer be found' }) =>
    'ms' in cycle ? [cycleOf({ value: cycle.ms }), null] : [null, cycle.reason];
  const historyWording = {
    date: (at: number) => dateText(at, wording.formats.dateTimeFormat, wording.timeZone),
    words: (text: string) => text,
  };
  for await (const part of lines) {
    const rows: SheetRow[] = [];
    const cycles = await cycleTimes?.(part.map(({ facts }) => facts.key));
    for (const { facts, rows: own } of part) {
      const { unknown } = facts;
      const behind = [
        ...(cycles === undefined ? [] : cycleCells(cycles.get(facts.key))),
        ...(hasUnknown ? [unknownOf(unknown === null ? undefined : { value: unknown.ms })] : []),
        issueHistoryText(facts, historyWording),
      ];
      // An issue without lines gets one, so that it is never missing silently.
      const shown = own.length === 0 ? [{ own: facts.cells, cells: {} }] : own;
      for (const line of shown) rows.push([...rowOf(line, columns, readers), ...behind]);
    }
    yield rows;
  }
}

/** The names of the sheets of statistics. */
const statisticNames: Readonly<Record<AggregationType, string>> = {
  average: 'Average',
  sum: 'Sum',
  median: 'Median',
  standardDeviation: 'Standard deviation',
  percentile: 'Percentile',
};

/** The sheet of a statistic: a row per group of issues, with their number. */
export function statisticSheet(table: Table, wording: TableWording): Sheet {
  const { columns, rows, statistic, provenance } = table;
  const type = statistic?.type ?? 'average';
  const [groups, values] = splitColumns(columns);
  const [count = '', last = ''] = ownTitles(
    ['Issues', 'History'],
    columns.map((column) => column.title),
  );
  const shown = [...groups, { ...countColumn, title: count }, ...values, { ...historyColumn, title: last }];
  const history = historiesText(provenance);
  const [groupReaders, valueReaders] = [groups, values].map((part) =>
    part.map((column) => cellReader(column, wording)),
  );
  return {
    id: type,
    name: statisticNames[type],
    columns: shown.map((column) => sheetColumn(column, wording)),
    rows: inParts(
      rows.map((line) => [
        ...rowOf(line, groups, groupReaders ?? []),
        line.issueCount ?? 0,
        ...rowOf(line, values, valueReaders ?? []),
        history,
      ]),
    ),
  };
}

/** Rows in memory as the rows of a sheet. */
export async function* inParts(rows: readonly SheetRow[]): AsyncGenerator<readonly SheetRow[]> {
  yield rows;
}

const unknownColumn: Column = { id: 'unknown', title: 'Unknown', kind: 'duration', part: 'value' };
const cycleColumn: Column = { id: 'cycleTime', title: 'Cycle time', kind: 'duration', part: 'value' };
const noCycleColumn: Column = {
  id: 'withoutCycleTime',
  title: 'No cycle time because',
  kind: 'text',
  part: 'field',
};
const historyColumn: Column = { id: 'history', title: 'History', kind: 'text', part: 'field' };
const countColumn: Column = { id: 'issueCount', title: 'Issues', kind: 'count', part: 'field' };

function ownTitle(title: string, titles: readonly string[]): string {
  return ownTitles([title], titles)[0] ?? title;
}

function rowOf(
  line: Pick<Row, 'own' | 'cells'>,
  columns: readonly Column[],
  readers: readonly CellReader[],
): SheetValue[] {
  return columns.map((column, i) => readers[i]?.(cellIn(line, column)) ?? null);
}

function sheetColumn({ id, title, kind }: Column, { viewFormat, dayMs }: TableWording): SheetColumn {
  switch (kind) {
    case 'duration': {
      if (viewFormat === 'humanReadable') return { id, title, kind: 'text', unit: null };
      const unit =
        viewFormat === 'days' && dayMs !== millisecondsInDay ? `days of ${hoursOf(dayMs)} h` : viewFormat;
      return { id, title: `${title} (${unit})`, kind: 'number', unit };
    }
    case 'count':
      return { id, title, kind: 'number', unit: null };
    default:
      return { id, title, kind, unit: null };
  }
}

function hoursOf(ms: number): number {
  return Number((ms / millisecondsInHour).toFixed(2));
}

type CellReader = (cell: Cell | undefined) => SheetValue;

/** Reads the cells of a column in the requested unit: of whole milliseconds, with ten decimals. */
function cellReader({ kind }: Column, { viewFormat, dayMs }: TableWording): CellReader {
  if (kind === 'duration') {
    if (viewFormat === 'humanReadable') {
      return (cell) => (cell === undefined ? null : durationWords(Number(cell.value), dayMs));
    }
    const length = viewFormat === 'days' ? dayMs : unitLengths[viewFormat];
    return (cell) => (cell === undefined ? null : Number(decimalText(Number(cell.value), length)));
  }
  if (kind === 'count') return (cell) => (cell === undefined ? null : tenDecimals(Number(cell.value)));
  if (kind === 'text') return (cell) => (cell === undefined ? null : String(cell.value));
  return (cell) => cell?.value ?? null;
}

function tenDecimals(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toFixed(10));
}
