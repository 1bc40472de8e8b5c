import { reportIds } from '../../../model/report-ids.ts';
import { type Column, cellIn, type Table } from '../../../model/table.ts';
import { valueCell, valueText } from '../../../output/figure-words.ts';
import { dayMsOf } from '../../../output/wording.ts';
import { limits } from '../../blocks/limits.ts';
import {
  columnsOf,
  durationChart,
  type FigureParts,
  startedColumns,
  sumOf,
  tableBehind,
} from '../view/figures-drawn.ts';
import { wordedText } from '../view/marked-wording.ts';

const levels: Readonly<Record<string, { readonly status: Level; readonly period: Level }>> = {
  [reportIds.statusDurationByTimePeriod]: { status: 'parent', period: 'child' },
  [reportIds.timePeriodDurationByStatus]: { status: 'child', period: 'parent' },
};
type Level = 'parent' | 'child';

/** The number of periods in the chart: the last ones. */
const PERIODS = 12;
const STATUSES = limits.chart.series;

/** A column's status, and when that was: `Blocked`, `2026-08`; null of other columns. */
export function statusInPeriod(
  column: Column,
  { provenance }: Table,
): { readonly status: string; readonly period: string } | null {
  const level = levels[provenance.reportType];
  const [status, period] = level === undefined ? [] : [column[level.status], column[level.period]];
  return status === undefined || period === undefined ? null : { status: status.title, period: period.title };
}

/** Which columns of a table are of the periods that the picture has; all where it has no periods. */
export function isInPicture({ columns, provenance }: Table) {
  const level = levels[provenance.reportType];
  if (level === undefined) return () => true;
  const all = new Set(columns.flatMap((column) => column[level.period]?.id ?? []));
  const recent = new Set([...all].toSorted().slice(-PERIODS));
  return (column: Column) => recent.has(column[level.period]?.id ?? '');
}

/** True if the columns of a table are about a status and a period. */
export function isByPeriod({ provenance }: Table): boolean {
  return levels[provenance.reportType] !== undefined;
}

/** Time along x, and a line a period, the last one first: the statuses where work is done, in workflow order. `title` is what figures are. */
export function periodView(
  { columns, rows, statuses, provenance }: Table,
  title: string,
): Omit<FigureParts, 'headline'> {
  const level = levels[provenance.reportType];
  const [row] = rows;
  const values = columns.filter(({ part }) => part === 'value');
  if (level === undefined || row === undefined || values.length === 0) return {};
  const titles = new Map<string, string>();
  const byPeriod = new Map<string, Map<string, Column>>();
  for (const column of values) {
    const [status, period] = [column[level.status], column[level.period]];
    if (status === undefined || period === undefined) continue;
    titles.set(status.id, status.title);
    titles.set(period.id, period.title);
    byPeriod.set(period.id, (byPeriod.get(period.id) ?? new Map()).set(status.id, column));
  }
  const started = startedColumns(values, statuses);
  const totals = new Map<string, number>();
  for (const column of started) {
    const id = column[level.status]?.id ?? '';
    totals.set(id, (totals.get(id) ?? 0) + sumOf(rows, column));
  }
  const byTime = [...totals.keys()].toSorted((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0));
  const order = mergedOrder([...byPeriod.values()].map((columnOf) => [...columnOf.keys()]));
  const shown = order.filter((id) => byTime.slice(0, STATUSES).includes(id));
  const words = { dayMs: dayMsOf(provenance.calendar), timeZone: provenance.timeZone };
  const cellOf = (period: string, status: string) => {
    const column = byPeriod.get(period)?.get(status);
    return column === undefined ? undefined : cellIn(row, column);
  };
  const named = (id: string) => titles.get(id) ?? id;
  // Before the first work and after the last there is nothing to show.
  const all = [...byPeriod.keys()].toSorted();
  const isWorked = (period: string) => shown.some((id) => cellOf(period, id) !== undefined);
  const periods = all.slice(Math.max(0, all.findIndex(isWorked)), all.findLastIndex(isWorked) + 1);
  const recent = periods.slice(-PERIODS);
  const drawn = shown.filter((id) => recent.some((period) => cellOf(period, id) !== undefined));
  const chart = durationChart({
    kind: 'bar',
    title: `Time per status and period: ${title.toLowerCase()}`,
    names: drawn.map(named),
    bars: recent.map((period) => ({
      label: named(period),
      values: drawn.map((id) => Number(cellOf(period, id)?.value ?? 0)),
    })),
    dayMs: words.dayMs,
  });
  const more = byTime.length - shown.length;
  const table = {
    columns: [...columnsOf('name', 'Period'), ...columnsOf('figure', ...shown.map(named))],
    rows: periods
      .toReversed()
      .map((period) => [
        { text: named(period) },
        ...shown.map((id) => valueCell({ kind: 'duration' }, cellOf(period, id), words)),
      ]),
    what: 'periods',
  };
  const last = periods.at(-1) ?? '';
  const figures = shown
    .filter((id) => cellOf(last, id) !== undefined)
    .map((id, index): [string, string] => [
      index === 0 ? `${named(last)}: ${named(id)}` : named(id),
      valueText({ kind: 'duration' }, cellOf(last, id), words),
    ]);
  const { remarks, ...view } = tableBehind(chart, table, figures);
  return {
    ...view,
    remarks: [
      ...remarks,
      ...(more > 0
        ? [wordedText(() => `${more} more ${more === 1 ? 'status' : 'statuses'} in the export.`)]
        : []),
    ],
  };
}

/** One order that has each of several, which do not contradict each other and of which each may lack something. */
function mergedOrder(orders: readonly (readonly string[])[]): string[] {
  const merged: string[] = [];
  for (const order of orders.toSorted((a, b) => b.length - a.length)) {
    let at = -1;
    for (const id of order) {
      const known = merged.indexOf(id);
      if (known >= 0) at = known;
      else {
        at += 1;
        merged.splice(at, 0, id);
      }
    }
  }
  return merged;
}
