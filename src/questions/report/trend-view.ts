import type { Provenance } from '../../model/table.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { doubtWarnings } from '../view/answer-warnings.ts';
import { countOf, countWords, timeText } from '../view/figure-words.ts';
import { durationChart, tableBehind } from '../view/figures-drawn.ts';
import { dayMsOf, say, type Wording } from '../view/wording.ts';
import type { Trend, TrendPoint } from './trend.ts';

/** A chart has no more bars. */
const BARS = 12;

/** Cycle times by the period in which issues were finished; `subject` names the issues and how many they are. */
export function trendView(
  { points, inProgress, doubts }: Trend,
  { calendar, ...provenance }: Pick<Provenance, 'calendar' | 'assumedCategories'>,
  subject: (wording: Wording) => string,
): Pick<Sheet, 'headline' | 'summary' | 'chart' | 'table' | 'remarks' | 'page' | 'details' | 'warnings'> {
  const dayMs = dayMsOf(calendar);
  const chart = durationChart({
    kind: 'bar',
    title: 'Median cycle time by period of finish',
    names: ['Median'],
    bars: points
      .slice(-BARS)
      .map(({ id, finished, cycleTime }) => ({ label: `${id} (${finished})`, values: [cycleTime.median] })),
    dayMs,
  });
  const columns = ['Issues finished', 'With cycle time', 'Median cycle time', 'p85'];
  const table = {
    columns: [
      { title: 'Finished in', holds: 'name' as const },
      ...columns.map((title) => ({ title, holds: 'figure' as const })),
    ],
    rows: points
      .toReversed()
      .map(({ finished, cycleTime: { count, median, p85 }, ...point }) => [
        { text: nameOf(point) },
        { text: countWords(finished), value: finished },
        { text: countWords(count), value: count },
        { text: timeText(median, dayMs), value: median },
        { text: timeText(p85, dayMs), value: p85 },
      ]),
    what: 'periods',
  };
  const { remarks, ...view } = tableBehind(
    // A period in which nothing was finished keeps its place: Slack takes no value that is not there.
    chart && {
      ...chart,
      series: chart.series.map((one) => ({ ...one, values: one.values.map((value) => value ?? 0) })),
    },
    table,
    points
      .toReversed()
      .map((point) => [
        `${nameOf(point)} (${countWords(point.finished)})`,
        timeText(point.cycleTime.median, dayMs),
      ]),
  );
  return {
    headline: say((wording) =>
      [
        `${wording.bold(subject(wording))} · by when they were finished`,
        ...lastText(points, dayMs),
        ...inProgressText(inProgress, points.at(-1)?.isRunning ?? true),
      ].join('\n'),
    ),
    warnings: doubtWarnings(doubts, provenance),
    ...view,
    remarks,
    page: null,
  };
}

/** `2026-11 so far`, and `2026-08 in part` where the time asked about begins or ends within it. */
function nameOf({ id, isPart, isRunning }: Pick<TrendPoint, 'id' | 'isPart' | 'isRunning'>): string {
  return `${id}${isRunning ? ' so far' : isPart ? ' in part' : ''}`;
}

/** The last two periods with cycle times beside each other, each with how many issues it rests on. */
function lastText(points: readonly TrendPoint[], dayMs: number): string[] {
  const shown = points
    .filter(({ cycleTime }) => cycleTime.count > 0)
    .slice(-2)
    .toReversed();
  if (shown.length === 0) return [];
  const parts = shown.map(
    (point) =>
      `${timeText(point.cycleTime.median, dayMs)} in ${nameOf(point)} (${countOf(point.cycleTime.count, 'issue')})`,
  );
  return [`Median cycle time ${parts.join(', ')}.`];
}

/** What is still worked on has no cycle time yet, and would make the last periods longer. */
function inProgressText(count: number, isRunning: boolean): string[] {
  if (count === 0) return [];
  const [is, still] = [
    count === 1 ? 'is' : 'are',
    isRunning ? 'still in progress' : 'in progress at the end',
  ];
  return [`${countOf(count, 'issue')} ${still} ${is} not in these times.`];
}
