import type { Compared, DurationFigures, WeeklyAggregates } from '../../model/answer.ts';
import { isoText } from '../../time/date-text.ts';
import { durationText, numberText, type ViewFormat } from '../readable-text.ts';
import { csvText } from './csv.ts';

const csvTitles = [
  ...['week', 'scope', 'status', 'figure', 'value', 'unit', 'weekBefore', 'eightWeeks'],
  ...['whole', 'calendar', 'timeZone', 'asOf'],
];

/**
 * The figures of a week as CSV, one a line: of all issues, then of each status by its id. A figure that does not exist
 * is an empty cell, so that the columns of figures hold numbers alone (or words, in humanReadable).
 */
export function weeklyCsv(
  { week, provenance, ...figures }: WeeklyAggregates,
  { viewFormat, dayMs }: { readonly viewFormat: ViewFormat; readonly dayMs: number },
): string {
  const { calendar, asOf } = provenance;
  const common = [String(week.whole), calendar.name, figures.timeZone, isoText(asOf)];
  const inUnit = (ms: number | null) => (ms === null ? '' : durationText(ms, viewFormat, dayMs));
  const numbers = (count: number | null) => (count === null ? '' : numberText(count));
  const line = (id: string, status: string, [figure, unit, texts]: FigureLine) => [
    ...[week.id, id, status, figure, texts.week, unit, texts.weekBefore, texts.eightWeeks],
    ...common,
  ];
  const statistics = (name: string, of: Compared<DurationFigures>): FigureLine[] => [
    [`${name}.count`, 'issues', each(of, ({ count }) => numbers(count))],
    [`${name}.average`, viewFormat, each(of, ({ average }) => inUnit(average))],
    [`${name}.median`, viewFormat, each(of, ({ median }) => inUnit(median))],
    [`${name}.percentile85`, viewFormat, each(of, ({ p85 }) => inUnit(p85))],
    [`${name}.standardDeviation`, viewFormat, each(of, ({ deviation }) => inUnit(deviation))],
  ];
  const ofWeek = (figure: string, { length }: readonly unknown[]): FigureLine => [
    figure,
    'issues',
    { week: String(length), weekBefore: '', eightWeeks: '' },
  ];
  const overall: FigureLine[] = [
    ['finished', 'issues', each(figures.finished, numbers)],
    ...statistics('cycleTime', figures.cycleTime),
    ofWeek('withoutCycleTime', figures.withoutCycleTime),
    ofWeek('doneSinceUnknown', figures.doubts.sinceUnknown),
    ofWeek('unclear', figures.doubts.unclear),
  ];
  return csvText([
    csvTitles,
    ...overall.map((figure) => line('all', '', figure)),
    ...figures.statuses.flatMap(({ id, title, finished, within }) => [
      ...statistics('finished', finished).map((figure) => line(id, title, figure)),
      line(id, title, ['within', viewFormat, each(within, inUnit)]),
    ]),
  ]);
}

type FigureLine = readonly [figure: string, unit: string, texts: Compared<string>];

function each<One, Other>(
  { week, weekBefore, eightWeeks }: Compared<One>,
  other: (one: One) => Other,
): Compared<Other> {
  return { week: other(week), weekBefore: other(weekBefore), eightWeeks: other(eightWeeks) };
}
