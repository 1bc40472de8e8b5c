import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Statistic } from '../../model/request.ts';
import { type Column, cellIn, type Row, type Table } from '../../model/table.ts';
import type { Chart } from '../../output/charts/chart.ts';
import { numberText } from '../../output/duration-text.ts';
import { durationChart } from '../view/answer-charts.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { dayMsOf } from '../view/day-length.ts';
import { isDoneColumn } from '../view/done-left-out.ts';
import { type FigureCell, type FigureColumn, figureTable, glanceColumns } from '../view/figure-table.ts';
import { countOf, type ValueWords, valueText } from '../view/figure-words.ts';
import { ownersTime } from '../view/subject-words.ts';
import { type Said, say, type Wording } from '../view/wording.ts';
import type { ReportParts } from './report-view.ts';

const NAME_LENGTH = 80;

/** Figures that condense many issues: one line a status, or a line a group where they are grouped. */
export function statisticView(
  parts: ReportParts,
): Pick<Sheet, 'headline' | 'chart' | 'table' | 'remarks' | 'page'> {
  const { table, which } = parts;
  const { statistic } = table;
  if (statistic === null) throw new Error('A list is no statistic');
  const isGrouped = table.columns.some(({ part }) => part === 'group');
  const figures = figuresOf(table);
  const working = figures.filter(({ column }) => !isDoneColumn(column, table.statuses));
  const [most] = (working.length > 0 ? working : figures).toSorted((a, b) => b.value - a.value);
  const { issues } = table.provenance;
  const lines = isGrouped ? groupTable(table) : columnTable(table, figures, statistic);
  return {
    headline: say((wording) =>
      most === undefined
        ? `${wording.strong('No figure')}: ${countOf(issues, 'issue')}${which(wording)}. Choose a longer time or other issues, and ask again.`
        : `${mostText(parts, most, statistic)(wording)}\n${countOf(issues, 'issue')}${which(wording)}.`,
    ),
    chart: isGrouped ? groupChart(table, statistic) : columnChart(table, working, statistic),
    table: figureTable(lines.columns, lines.rows),
    remarks: [
      ...moreText(lines.moreRows, isGrouped ? 'more group' : 'more line'),
      ...moreText(lines.moreColumns, 'more column'),
      ...doneText(table),
    ],
    page: null,
  };
}

function moreText(count: number, what: string): Said[] {
  return count > 0 ? [say(() => `${countOf(count, what)}; the export has them all.`)] : [];
}

/** Why the longest time may not be where the time goes. */
function doneText({ columns, statuses }: Table): Said[] {
  const done = columns.filter((column) => column.kind === 'duration' && isDoneColumn(column, statuses));
  const [first] = done;
  if (first === undefined) return [];
  const title = done.length === 1 ? shorten(first.title, NAME_LENGTH) : 'statuses that are done';
  return [say(({ words }) => `Time in ${words(title)} only tells how long ago work ended.`)];
}

function mostText({ table, request }: ReportParts, most: Figure, statistic: Statistic) {
  const { columns, provenance } = table;
  const group = groupName(columns, most.row);
  const words = { dayMs: dayMsOf(provenance.calendar), timeZone: provenance.timeZone };
  const figure = valueText(most.column, { value: most.value }, words);
  const title = shorten(most.column.title, NAME_LENGTH) || '(no name)';
  const isTimeInStatus = request.reportType === 'statusDuration' && group === null;
  return (wording: Wording) => {
    const { strong } = wording;
    const told = `${strong(figure)}${afterFigure(statistic)}`;
    if (isTimeInStatus && statistic.type !== 'standardDeviation')
      return `${strong(title)} is where ${ownersTime(request.selection, wording)} goes: ${told}.`;
    const of = group === null ? '' : ` for ${strong(group)}`;
    const longest =
      most.column.kind === 'duration' && statistic.type !== 'standardDeviation' ? 'Longest' : 'Most';
    return `${longest}: ${strong(title)}${of}, ${told}.`;
  };
}

/** What a figure of a statistic is, to follow it: `2d 3h on average`. */
function afterFigure({ type, denominator, percentile }: Statistic): string {
  switch (type) {
    case 'average':
      return denominator === 'all' ? ' on average over all issues' : ' on average';
    case 'sum':
      return ' in all';
    case 'median':
      return ' at the median (half took less)';
    case 'standardDeviation':
      return ' standard deviation';
    case 'percentile':
      return ` or less in ${numberText(percentile)} % of the issues`;
  }
}

/** The same as the title of a column. */
function figureTitle({ type, percentile }: Statistic): string {
  switch (type) {
    case 'average':
      return 'Average';
    case 'sum':
      return 'In all';
    case 'median':
      return 'Median';
    case 'standardDeviation':
      return 'Spread';
    case 'percentile':
      return `${numberText(percentile)} % within`;
  }
}

const GROUP_LENGTH = 80;

/** Of what has no value, such as issues without an assignee. */
const NO_VALUE = 'none';

/** A figure of a statistic, and where it stands. */
interface Figure {
  readonly row: Row;
  readonly column: Column;
  readonly value: number;
}

/** Every figure of a statistic; what never was has none. */
function figuresOf({ columns, rows }: Table): Figure[] {
  const values = columns.filter(({ part }) => part === 'value');
  return rows.flatMap((row) =>
    values.flatMap((column) => {
      const value = cellIn(row, column)?.value;
      return typeof value === 'number' ? [{ row, column, value }] : [];
    }),
  );
}

/** Those with the highest values, in the order in which they stand. */
function longestOf(figures: readonly Figure[], count: number): Figure[] {
  const most = figures.toSorted((a, b) => b.value - a.value).slice(0, count);
  return figures.filter((figure) => most.includes(figure));
}

/** What the issues of a line have in common; null where all issues are one line. */
function groupName(columns: readonly Column[], row: Row): string | null {
  const names = columns
    .filter(({ part }) => part === 'group')
    .map((column) => shorten(String(cellIn(row, column)?.value ?? NO_VALUE), GROUP_LENGTH) || '(no name)');
  return names.length === 0 ? null : names.join(', ');
}

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
function columnTable(
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
function groupTable(table: Table): StatisticLines {
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

const BARS = 12;
/** Bars beside each other in a group. */
const SERIES = 4;

/** What a chart of the columns is about, by report type. */
const timeTitles: Readonly<Record<string, string>> = {
  statusDuration: 'Time in each status',
  assigneeDuration: 'Time with each assignee',
  groupDuration: 'Time in each group',
};

/** A bar a column, those with the highest figures; null where they are no durations. */
function columnChart({ provenance }: Table, figures: readonly Figure[], statistic: Statistic): Chart | null {
  if (figures.some(({ column }) => column.kind !== 'duration')) return null;
  return durationChart({
    kind: 'bar',
    title: `${timeTitles[provenance.reportType] ?? 'Time'}: ${figureTitle(statistic).toLowerCase()}`,
    names: [figureTitle(statistic)],
    bars: longestOf(figures, BARS).map(({ column, value }) => ({ label: column.title, values: [value] })),
    dayMs: dayMsOf(provenance.calendar),
  });
}

/** A bar a group, of the columns that hold most. */
function groupChart(table: Table, statistic: Statistic): Chart | null {
  const { columns, rows, provenance } = table;
  const { values } = glanceColumns(table);
  const shown = rows.slice(0, BARS);
  const whole = values.filter(
    (column) =>
      column.kind === 'duration' &&
      !isDoneColumn(column, table.statuses) &&
      shown.every((row) => cellIn(row, column) !== undefined),
  );
  const [only, ...others] = whole.slice(0, SERIES);
  if (only === undefined) return null;
  const what = others.length === 0 ? shorten(only.title, limits.chart.label) : 'Time';
  const groups = columns.filter(({ part }) => part === 'group').map(({ title }) => title.toLowerCase());
  return durationChart({
    kind: 'bar',
    title: `${what} by ${groups.join(', ')}: ${figureTitle(statistic).toLowerCase()}`,
    names: [only, ...others].map(({ title }) => title),
    bars: shown.map((row) => ({
      label: groupName(columns, row) ?? '',
      values: [only, ...others].map((column) => Number(cellIn(row, column)?.value ?? 0)),
    })),
    dayMs: dayMsOf(provenance.calendar),
  });
}
