import type { Statistic } from '../../model/request.ts';
import { type Column, cellIn, type Row, type Table } from '../../model/table.ts';
import { dayMsOf } from '../view/day-length.ts';
import type { FigureCell, FigureColumn } from '../view/figure-table.ts';
import { glanceColumns } from '../view/glance-columns.ts';
import { type ValueWords, valueText } from '../view/value-text.ts';
import { type Figure, longestOf, NO_VALUE } from './statistic-figures.ts';
import { figureTitle } from './statistic-words.ts';

/** A glance takes no more lines. */
const LINES = 15;

/** What columns are, by report type, as the title of a table's first column. */
const columnTitles: Readonly<Record<string, string>> = {
  statusDuration: 'Status',
  statusCount: 'Status',
  assigneeDuration: 'Assignee',
  groupDuration: 'Group',
};

/** A table at a glance, and how many lines and columns are not in it. */
interface StatisticLines {
  readonly columns: readonly FigureColumn[];
  readonly rows: readonly (readonly FigureCell[])[];
  readonly moreRows: number;
  readonly moreColumns: number;
}

/** A line a column, those with the highest figures. */
export function columnTable(
  { provenance }: Table,
  figures: readonly Figure[],
  statistic: Statistic,
): StatisticLines {
  const words = { dayMs: dayMsOf(provenance.calendar), timeZone: provenance.timeZone };
  return {
    columns: [
      { title: columnTitles[provenance.reportType] ?? 'What', holds: 'text' },
      { title: figureTitle(statistic), holds: 'figure' },
    ],
    rows: longestOf(figures, LINES).map(({ column, value }) => [
      { text: column.title },
      { text: valueText(column, { value }, words) },
    ]),
    moreRows: Math.max(0, figures.length - LINES),
    moreColumns: 0,
  };
}

/** A line a group, the first ones, with the columns that hold most. */
export function groupTable(table: Table): StatisticLines {
  const { columns, rows, provenance } = table;
  const words = { dayMs: dayMsOf(provenance.calendar), timeZone: provenance.timeZone };
  const groups = columns.filter(({ part }) => part === 'group');
  const { values, more } = glanceColumns(table);
  return {
    columns: [
      ...groups.map(({ title }) => ({ title, holds: 'text' as const })),
      { title: 'Issues', holds: 'figure' },
      ...values.map(({ title }) => ({ title, holds: 'figure' as const })),
    ],
    rows: rows
      .slice(0, LINES)
      .map((row) => [
        ...groups.map((column) => ({ text: groupText(column, row, words) })),
        { text: String(row.issueCount ?? 0) },
        ...values.map((column) => ({ text: valueText(column, cellIn(row, column), words) })),
      ]),
    moreRows: Math.max(0, rows.length - LINES),
    moreColumns: more,
  };
}

function groupText(column: Column, row: Row, words: ValueWords): string {
  const cell = cellIn(row, column);
  return cell === undefined ? NO_VALUE : valueText(column, cell, words);
}
