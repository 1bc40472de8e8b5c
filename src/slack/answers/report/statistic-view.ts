import { reportIds } from '../../../model/report-ids.ts';
import type { Statistic } from '../../../model/request.ts';
import { type Column, cellIn, type Provenance, type Row, type Table } from '../../../model/table.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import {
  countOf,
  countWords,
  fieldText,
  peopleFields,
  type ValueWords,
  valueCell,
  valueText,
} from '../../../output/figure-words.ts';
import { numberText, shorten } from '../../../output/readable-text.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import { limits } from '../../blocks/limits.ts';
import {
  chartBehind,
  columnsOf,
  durationChart,
  type FigureParts,
  glanceColumns,
  startedColumns,
  tableBehind,
} from '../view/figures-drawn.ts';
import { wordedText } from '../view/marked-wording.ts';
import { isByPeriod, isInPicture, periodView, statusInPeriod } from './period-view.ts';

/** The parts that a list and a statistic have in common. */
export interface ReportParts {
  readonly table: Table;
  /** Which issues are meant, and how many they are. */
  readonly subject: (wording: Wording) => string;
  /** Only issues that something happened to within a time are counted. */
  readonly isOfTime?: boolean;
}

const BARS = 10;
const COLUMNS = 6;
const SERIES = 4;
const NAME_LENGTH = 80;

/** Figures that condense many issues: a line a status, a line a group where they are grouped, or a line a period. */
export function statisticView({ table, subject, isOfTime = false }: ReportParts): FigureParts {
  const { statistic, columns, statuses } = table;
  if (statistic === null) throw new Error('A list is not a statistic');
  const isGrouped = columns.some(({ part }) => part === 'group');
  const figures = figuresOf(table);
  const started = startedColumns(
    figures.map(({ column }) => column),
    statuses,
  );
  const shown = figures.filter(({ column }) => started.includes(column));
  const inPicture = isInPicture(table);
  const [largest] = shown.filter(({ column }) => inPicture(column)).toSorted((a, b) => b.value - a.value);
  const isBlocked = isOfCauses(table) && !isGrouped;
  const headline = wordedText((wording) =>
    [
      wording.bold(subject(wording)),
      isBlocked
        ? blockedText(figures, table, statistic, wording)
        : largest === undefined
          ? 'There are no figures. Choose a longer time or other issues, and ask again.'
          : isOfTime && isByPeriod(table)
            ? `${figureTitle(statistic)} by period in which the time was spent.`
            : mostText(table, largest, statistic, wording),
    ].join('\n'),
  );
  if (!isGrouped && isByPeriod(table)) return { ...periodView(table, figureTitle(statistic)), headline };
  const view = isGrouped ? groupView(table, statistic) : columnView(table, { figures, shown }, statistic);
  return { ...view, headline };
}

/** Counts by cause have a column for all causes, of which the others are parts. */
function isOfCauses({ provenance }: Table): boolean {
  return (
    provenance.reportType === reportIds.blockedDuration || provenance.reportType === reportIds.blockedCount
  );
}

/** `Issues that were blocked: 2d 3h on average, 9 times in all.` */
function blockedText(
  figures: readonly Figure[],
  { provenance }: Table,
  statistic: Statistic,
  { strong }: Wording,
): string {
  const all = figures.find(({ column }) => column.id === ALL_CAUSES);
  if (all === undefined) return 'No blocked time is known.';
  const { column, value, visits } = all;
  const figure = strong(valueText(column, { value }, wordsOf(provenance)));
  const lead = statistic.denominator === 'all' ? 'Blocked' : 'Issues that were blocked';
  return column.kind === 'count'
    ? `${lead}: ${figure} times ${afterFigure(statistic)}.`
    : `${lead}: ${figure} ${afterFigure(statistic)}, ${countOf(visits, 'time')} in all.`;
}

/** The column of all causes. */
const ALL_CAUSES = 'blocked';
const causeTitles: Readonly<Record<string, string>> = {
  [ALL_CAUSES]: 'All causes',
  flag: 'Flag',
  status: 'Status',
  link: 'Link',
};

function mostText(
  table: Table,
  { row, column, value }: Figure,
  statistic: Statistic,
  { strong }: Wording,
): string {
  const group = groupName(table, row);
  if (isAboutPeople(table))
    return `${figureTitle(statistic)} by person${group === null ? '' : ', with the number of issues of each'}.`;
  const words = wordsOf(table.provenance);
  const inPeriod = statusInPeriod(column, table);
  const named = (title: string) => strong(shorten(title, NAME_LENGTH) || '(no name)');
  const title =
    inPeriod === null ? named(column.title) : `${named(inPeriod.status)} in ${named(inPeriod.period)}`;
  const of = group === null ? '' : ` for ${strong(group)} (${countOf(row.issueCount ?? 0, 'issue')})`;
  const shown = valueText(column, { value }, words);
  const times = column.kind === 'count' ? (shown === '1' ? ' time' : ' times') : '';
  const word = column.kind === 'duration' && statistic.type !== 'standardDeviation' ? 'Longest' : 'Most';
  return `${word}: ${title}${of}, ${strong(shown)}${times} ${afterFigure(statistic)}.`;
}

/** People are not ranked: of few issues each, the longest time is chance, and would be read as blame. */
function isAboutPeople({ columns, provenance }: Table): boolean {
  return (
    provenance.reportType === reportIds.assigneeDuration ||
    columns.some(({ part, id }) => part === 'group' && peopleFields.includes(id))
  );
}

/** The words after a figure of a statistic: `2d 3h on average`. */
function afterFigure({ type, denominator, percentile }: Statistic): string {
  if (type === 'percentile') return `(p${numberText(percentile)})`;
  return `${afterFigures[type]}${type === 'average' && denominator === 'all' ? ' over all issues' : ''}`;
}

const afterFigures = {
  average: 'on average',
  sum: 'in total',
  median: '(median)',
  standardDeviation: '(standard deviation)',
} as const;

/** The title of a statistic's column. */
export function figureTitle({ type, percentile }: Statistic): string {
  return type === 'percentile' ? `p${numberText(percentile)}` : figureTitles[type];
}

const figureTitles = {
  average: 'Average',
  sum: 'Total',
  median: 'Median',
  standardDeviation: 'Standard deviation',
} as const;

/** A figure of a statistic, and where it is. */
interface Figure {
  readonly row: Row;
  readonly column: Column;
  readonly value: number;
  /** The number of visits it is made of, where the report counts them. */
  readonly visits: number;
}

/** Every figure of a statistic; what never was has none. */
function figuresOf({ columns, rows }: Table): Figure[] {
  const values = columns.filter(({ part }) => part === 'value');
  return rows.flatMap((row) =>
    values.flatMap((column) => {
      const { value, visits = 0 } = cellIn(row, column) ?? {};
      return typeof value === 'number' ? [{ row, column, value, visits }] : [];
    }),
  );
}

/** The group that the issues of a line are in; null where all issues are one line. */
function groupName({ columns, provenance }: Table, row: Row): string | null {
  const words = wordsOf(provenance);
  const names = columns
    .filter(({ part }) => part === 'group')
    .map((column) => shorten(groupText(column, row, words), NAME_LENGTH) || '(no name)');
  return names.length === 0 ? null : names.join(', ');
}

function groupText(column: Column, row: Row, words: ValueWords): string {
  const cell = cellIn(row, column);
  if (cell !== undefined) return fieldText(column, cell, words);
  return column.id === 'assignee' ? 'Unassigned' : 'None';
}

function wordsOf({ calendar, timeZone }: Provenance): ValueWords {
  return { dayMs: dayMsOf(calendar), timeZone };
}

/** The titles of a table's first column, by report type. */
const columnTitles: Readonly<Record<string, string>> = {
  [reportIds.statusDuration]: 'Status',
  [reportIds.statusCount]: 'Status',
  [reportIds.transitionCount]: 'Transition',
  [reportIds.assigneeDuration]: 'Assignee',
  [reportIds.groupDuration]: 'Group',
  [reportIds.blockedDuration]: 'Blocked by',
  [reportIds.blockedCount]: 'Blocked by',
};

const timeTitles: Readonly<Record<string, string>> = {
  [reportIds.statusDuration]: 'Time per status',
  [reportIds.assigneeDuration]: 'Time per assignee',
  [reportIds.groupDuration]: 'Time per group',
  [reportIds.blockedDuration]: 'Blocked time',
};

/** A line a column; the picture is of those where work is done. */
function columnView(
  table: Table,
  { figures, shown }: { readonly figures: readonly Figure[]; readonly shown: readonly Figure[] },
  statistic: Statistic,
): Omit<FigureParts, 'headline' | 'page'> {
  const { provenance } = table;
  const { reportType } = provenance;
  const byStage = figures.some(({ column }) => column.stage !== undefined);
  const words = wordsOf(provenance);
  const title = figureTitle(statistic);
  const longest = shown.toSorted((a, b) => b.value - a.value).slice(0, BARS);
  const bars = shown.filter((figure) => longest.includes(figure));
  const isBlocked = isOfCauses(table);
  const titleOf = ({ id, title: own }: Column) => (isBlocked ? (causeTitles[id] ?? own) : own);
  const hasTimes = reportType === reportIds.blockedDuration;
  const isTime = shown.every(({ column }) => column.kind === 'duration');
  const chart = durationChart({
    kind: 'bar',
    title: `${byStage ? 'Time per stage' : (timeTitles[reportType] ?? 'Time')}: ${title.toLowerCase()}`,
    names: [title],
    bars: bars.map(({ column, value }) => ({ label: titleOf(column), values: [value] })),
    dayMs: words.dayMs,
  });
  const textOf = ({ column, value }: Figure) => valueText(column, { value }, words);
  const whole = {
    columns: [
      ...columnsOf('text', byStage ? 'Stage' : (columnTitles[reportType] ?? 'Value')),
      ...columnsOf('figure', title, ...(hasTimes ? ['Times'] : [])),
    ],
    rows: figures.map((figure) => [
      { text: titleOf(figure.column) },
      { text: textOf(figure), value: figure.value },
      ...(hasTimes ? [{ text: countWords(figure.visits), value: figure.visits }] : []),
    ]),
    what: 'lines',
  };
  return tableBehind(
    isTime ? chart : null,
    whole,
    bars.map((figure) => [titleOf(figure.column), textOf(figure)]),
  );
}

function groupView(table: Table, statistic: Statistic): Omit<FigureParts, 'headline' | 'page'> {
  const { columns, rows, provenance } = table;
  const words = wordsOf(provenance);
  const groups = columns.filter(({ part }) => part === 'group');
  const { values, more } = glanceColumns(table, COLUMNS - groups.length);
  const { remarks, ...view } = chartBehind(groupChart(table, statistic), {
    columns: [
      ...columnsOf('name', ...groups.map(({ title }) => title)),
      ...columnsOf('figure', 'Issues', ...values.map(({ title }) => title)),
    ],
    rows: rows.map((row) => [
      ...groups.map((column) => ({ text: groupText(column, row, words) })),
      { text: String(row.issueCount ?? 0), value: row.issueCount ?? 0 },
      ...values.map((column) => valueCell(column, cellIn(row, column), words)),
    ]),
    what: 'groups',
  });
  const left = more > 0 ? [wordedText(() => `${countOf(more, 'more column')} in the export.`)] : [];
  return { ...view, remarks: [...remarks, ...left] };
}

function groupChart(table: Table, statistic: Statistic): Chart | null {
  const { columns, rows, provenance, statuses } = table;
  const shown = rows.slice(0, BARS);
  const whole = startedColumns(glanceColumns(table).values, statuses).filter(
    ({ kind }) => kind === 'duration',
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
      label: groupName(table, row) ?? '',
      values: [only, ...others].map((column) => Number(cellIn(row, column)?.value ?? 0)),
    })),
    dayMs: dayMsOf(provenance.calendar),
  });
}
