import { shorten } from '../../block-kit/shorten.ts';
import type { Statistic } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { countOf } from '../view/count-words.ts';
import { dayMsOf } from '../view/day-length.ts';
import { figureTable } from '../view/figure-table.ts';
import { isDoneColumn } from '../view/is-done-column.ts';
import { ownersTime } from '../view/subject-words.ts';
import { valueText } from '../view/value-text.ts';
import { type Said, say, type Wording } from '../view/wording.ts';
import type { ReportParts } from './report-parts.ts';
import { columnChart, groupChart } from './statistic-charts.ts';
import { type Figure, figuresOf, groupName } from './statistic-figures.ts';
import { columnTable, groupTable } from './statistic-tables.ts';
import { afterFigure } from './statistic-words.ts';

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
