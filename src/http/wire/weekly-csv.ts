import type { Compared, DurationFigures, WeeklyAggregates } from '../../model/answer.ts';
import { csvText } from '../../output/files/csv.ts';
import { durationText, numberText } from '../../output/readable-text.ts';
import { isoText } from '../../time/date-text.ts';
import type { WeeklyFrame } from './weekly-json.ts';

const titles = [
  ...['week', 'scope', 'status', 'figure', 'value', 'unit', 'weekBefore', 'eightWeeks'],
  ...['whole', 'calendar', 'timeZone', 'asOf'],
];

/**
 * The aggregates of a week as CSV, a figure a line: of all issues, then of each status by its id. A figure that is not
 * there is an empty cell, so that the columns of figures hold numbers alone (or words, in humanReadable).
 */
export function weeklyCsv(weekly: WeeklyAggregates, { viewFormat, dayMs }: Omit<WeeklyFrame, 'version'>) {
  const { calendar, asOf } = weekly.provenance;
  const standpoint = [String(weekly.week.whole), calendar.name, weekly.timeZone, isoText(asOf)];
  const duration = (ms: number | null) => (ms === null ? '' : durationText(ms, viewFormat, dayMs));
  const line = (scope: Scope, { figure, unit, texts }: Figure) => [
    ...[weekly.week.id, scope.id, scope.title, figure, texts.week, unit, texts.weekBefore, texts.eightWeeks],
    ...standpoint,
  ];
  const counted = (figure: string, counts: Compared<number | null>): Figure => ({
    figure,
    unit: 'issues',
    texts: each(counts, (count) => (count === null ? '' : numberText(count))),
  });
  const lasting = (figure: string, times: Compared<number | null>): Figure => ({
    figure,
    unit: viewFormat,
    texts: each(times, duration),
  });
  const statisticLines = (name: string, figures: Compared<DurationFigures>): readonly Figure[] => [
    counted(
      `${name}.count`,
      each(figures, ({ count }) => count),
    ),
    ...members.map(([member, figure]) =>
      lasting(
        `${name}.${figure}`,
        each(figures, (one) => one[member]),
      ),
    ),
  ];
  const ofWeek = (figure: string, { length }: readonly unknown[]): Figure => ({
    figure,
    unit: 'issues',
    texts: { week: String(length), weekBefore: '', eightWeeks: '' },
  });
  const overall = [
    counted('finished', weekly.finished),
    ...statisticLines('cycleTime', weekly.cycleTime),
    ofWeek('withoutCycleTime', weekly.withoutCycleTime),
    ofWeek('doneSinceUnknown', weekly.doubts.sinceUnknown),
    ofWeek('unclear', weekly.doubts.unclear),
  ];
  return csvText([
    titles,
    ...overall.map((figure) => line({ id: 'all', title: '' }, figure)),
    ...weekly.statuses.flatMap(({ finished, within, ...status }) =>
      [...statisticLines('finished', finished), lasting('within', within)].map((figure) =>
        line(status, figure),
      ),
    ),
  ]);
}

interface Scope {
  readonly id: string;
  readonly title: string;
}

interface Figure {
  readonly figure: string;
  readonly unit: string;
  readonly texts: Compared<string>;
}

/** The members of the statistics that are durations, and what JSON calls them. */
const members = [
  ['average', 'average'],
  ['median', 'median'],
  ['p85', 'percentile85'],
  ['deviation', 'standardDeviation'],
] as const;

function each<One, Other>(
  { week, weekBefore, eightWeeks }: Compared<One>,
  other: (one: One) => Other,
): Compared<Other> {
  return { week: other(week), weekBefore: other(weekBefore), eightWeeks: other(eightWeeks) };
}
