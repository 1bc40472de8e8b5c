import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Statistic } from '../../model/request.ts';
import { cellIn, type Table } from '../../model/table.ts';
import type { Chart } from '../../output/charts/chart.ts';
import { durationChart } from '../view/answer-charts.ts';
import { dayMsOf } from '../view/day-length.ts';
import { glanceColumns } from '../view/glance-columns.ts';
import { isDoneColumn } from '../view/is-done-column.ts';
import { type Figure, groupName, longestOf } from './statistic-figures.ts';
import { figureTitle } from './statistic-words.ts';

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
export function columnChart(
  { provenance }: Table,
  figures: readonly Figure[],
  statistic: Statistic,
): Chart | null {
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
export function groupChart(table: Table, statistic: Statistic): Chart | null {
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
