import type { Compared, DurationFigures } from '../../../model/answer.ts';
import { mapCompared } from '../../../model/answer.ts';
import { csvText } from '../../../output/files/csv.ts';
import { durationText, numberText, type ViewFormat } from '../../../output/readable-text.ts';
import { isoText } from '../../../time/date-text.ts';
import type { WeeklyAggregates } from './weekly-answer.ts';

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
  const common = [String(week.whole), calendar.name, provenance.timeZone, isoText(asOf)];
  const inUnit = (ms: number | null) => (ms === null ? '' : durationText(ms, viewFormat, dayMs));
  const numbers = (count: number | null) => (count === null ? '' : numberText(count));
  const line = (id: string, status: string, [figure, unit, texts]: FigureLine) => [
    ...[week.id, id, status, figure, texts.week, unit, texts.weekBefore, texts.eightWeeks],
    ...common,
  ];
  const statistics = (name: string, of: Compared<DurationFigures>): FigureLine[] => [
    [`${name}.count`, 'issues', mapCompared(of, ({ count }) => numbers(count))],
    [`${name}.average`, viewFormat, mapCompared(of, ({ averageMs }) => inUnit(averageMs))],
    [`${name}.median`, viewFormat, mapCompared(of, ({ medianMs }) => inUnit(medianMs))],
    [`${name}.percentile85`, viewFormat, mapCompared(of, ({ p85Ms }) => inUnit(p85Ms))],
    [`${name}.standardDeviation`, viewFormat, mapCompared(of, ({ deviationMs }) => inUnit(deviationMs))],
  ];
  const twoWeeks = (now: string, weekBefore: string) => ({ week: now, weekBefore, eightWeeks: '' });
  const ofWeek = (figure: string, { length }: readonly unknown[]): FigureLine => [
    figure,
    'issues',
    twoWeeks(String(length), ''),
  ];
  const targetLines = (target: WeeklyAggregates['target']): FigureLine[] => {
    if (target === null) return [];
    const { source, percent, withinMs, weekBefore } = target;
    const isSame = source === 'mixed' ? '' : String(Number(source === 'learned'));
    const both = (now: number, before: number) => twoWeeks(numberText(now), numberText(before));
    const one = (text: string) => twoWeeks(text, text);
    return [
      ['target.percent', 'percent', one(numbers(percent))],
      ['target.within', viewFormat, one(inUnit(withinMs))],
      ['target.isLearned', 'boolean', one(isSame)],
      ['target.finishedWithin', 'issues', both(target.finishedWithin, weekBefore.finishedWithin)],
      ['target.finished', 'issues', both(target.finished, weekBefore.finished)],
    ];
  };
  const blockedLines = ({
    week: now,
    weekBefore,
  }: NonNullable<WeeklyAggregates['blocked']>): FigureLine[] => [
    ['blocked', viewFormat, twoWeeks(inUnit(now.blockedMs), inUnit(weekBefore.blockedMs))],
    ['blocked.count', 'issues', twoWeeks(numbers(now.issues), numbers(weekBefore.issues))],
  ];
  const overall: FigureLine[] = [
    ['finished', 'issues', mapCompared(figures.finished, numbers)],
    ...statistics('cycleTime', figures.cycleTime),
    ...targetLines(figures.target),
    ...(figures.blocked === null ? [] : blockedLines(figures.blocked)),
    ofWeek('withoutCycleTime', figures.withoutCycleTime),
    ofWeek('doneSinceUnknown', figures.doneSinceUnknown),
    ofWeek('unclear', figures.unclear),
  ];
  return csvText([
    csvTitles,
    ...overall.map((figure) => line('all', '', figure)),
    ...figures.statuses.flatMap(({ id, name: title, finished, withinMs: within }) => [
      ...statistics('finished', finished).map((figure) => line(id, title, figure)),
      line(id, title, ['within', viewFormat, mapCompared(within, inUnit)]),
    ]),
  ]);
}

type FigureLine = readonly [figure: string, unit: string, texts: Compared<string>];
