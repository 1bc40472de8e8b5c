import type { Trend, TrendPoint } from '../../../api/answers/report/trend.ts';
import type { Provenance } from '../../../model/table.ts';
import { countOf, countWords, inStatus, timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import { limits } from '../../blocks/limits.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { doubtWarnings } from '../view/answer-warnings.ts';
import { durationChart, tableBehind } from '../view/figures-drawn.ts';
import { say, type Text } from '../view/marked-wording.ts';
import { figureTitle } from './statistic-view.ts';

const NAME_LENGTH = 40;

const BARS = 12;

/** Times by the period in which issues were finished; `subject` names the issues and how many they are. */
export function trendView(
  trend: Trend,
  { calendar, ...provenance }: Pick<Provenance, 'calendar' | 'assumedCategories'>,
  subject: (wording: Wording) => string,
): Pick<
  AnswerSheet,
  'headline' | 'summary' | 'chart' | 'table' | 'remarks' | 'page' | 'details' | 'warnings'
> {
  const { points, inProgress, statistic } = trend;
  const dayMs = dayMsOf(calendar);
  const what = timeName(trend);
  const title = figureTitle(statistic);
  const hasP85 = !(statistic.type === 'percentile' && statistic.percentile === 85);
  const shown = ({ figureMs: figure, times }: TrendPoint) =>
    `${timeText(figure, dayMs)}${hasP85 && times.count > 0 ? `, p85 ${timeText(times.p85Ms, dayMs)}` : ''}`;
  const chart = durationChart({
    kind: 'bar',
    title: shorten(`${title} ${what} by period of finish (issues)`, limits.chart.title),
    names: [title],
    bars: points
      .slice(-BARS)
      .map(({ id, figureMs: figure, times }) => ({ label: `${id} (${times.count})`, values: [figure] })),
    dayMs,
    // A period in which nothing was finished keeps its place.
    missing: 0,
  });
  const columns = ['Issues finished', `With ${what}`, `${title} ${what}`, ...(hasP85 ? ['p85'] : [])];
  const table = {
    columns: [
      { title: 'Finished in', holds: 'name' as const },
      ...columns.map((title) => ({ title, holds: 'figure' as const })),
    ],
    rows: points
      .toReversed()
      .map(({ finished, figureMs: figure, times: { count, p85Ms: p85 }, ...point }) => [
        { text: nameOf(point) },
        { text: countWords(finished), value: finished },
        { text: countWords(count), value: count },
        { text: timeText(figure, dayMs), value: figure },
        ...(hasP85 ? [{ text: timeText(p85, dayMs), value: p85 }] : []),
      ]),
    what: 'periods',
  };
  const { summary, ...view } = tableBehind(
    chart,
    table,
    points
      .toReversed()
      .map((point) => [`${nameOf(point)} (${countOf(point.times.count, 'issue')})`, shown(point)]),
  );
  return {
    headline: say((wording) =>
      [
        `${wording.bold(subject(wording))} · by when they were finished`,
        ...lastText(trend, dayMs, wording),
        ...withoutText(trend, wording),
        ...inProgressText(inProgress, points.at(-1)?.running ?? true),
      ].join('\n'),
    ),
    warnings: doubtWarnings(trend, provenance),
    ...view,
    ...(summary === undefined
      ? {}
      : { summary: ledBy(`${title}${hasP85 ? ' and p85' : ''} of issues with ${what}:`, summary) }),
  };
}

/** The name of a trend's times: `cycle time`, `time in QA`. */
function timeName({ status }: Pick<Trend, 'status'>): string {
  return status === null ? 'cycle time' : `time ${inStatus(shorten(status.name, NAME_LENGTH))}`;
}

function ledBy(words: string, { plain, marked }: Text): Text {
  const first = say((wording) => wording.words(words));
  return { plain: `${first.plain} ${plain}`, marked: `${first.marked} ${marked}` };
}

/** `2026-11 so far`, and `2026-08 in part` where the time asked about begins or ends within it. */
function nameOf({ id, part, running }: Pick<TrendPoint, 'id' | 'part' | 'running'>): string {
  return `${id}${running ? ' so far' : part ? ' in part' : ''}`;
}

/** The last two periods with times beside each other, each with how many issues it rests on. */
function lastText(trend: Trend, dayMs: number, { words }: Wording): string[] {
  const shown = trend.points
    .filter(({ times }) => times.count > 0)
    .slice(-2)
    .toReversed();
  if (shown.length === 0) return [];
  const parts = shown.map(
    (point) =>
      `${timeText(point.figureMs, dayMs)} in ${nameOf(point)} (${countOf(point.times.count, 'issue')})`,
  );
  return [`${figureTitle(trend.statistic)} ${words(timeName(trend))} ${parts.join(', ')}.`];
}

function withoutText(trend: Trend, { words }: Wording): string[] {
  const count = trend.finished - trend.times.count;
  if (count === 0) return [];
  return [
    `${countOf(count, 'finished issue')} ${count === 1 ? 'has' : 'have'} no ${words(timeName(trend))}.`,
  ];
}

/** A sentence on issues in progress: they are not finished yet, and would make the last periods longer. */
function inProgressText(count: number, isRunning: boolean): string[] {
  if (count === 0) return [];
  const [is, still] = [
    count === 1 ? 'is' : 'are',
    isRunning ? 'still in progress' : 'in progress at the end',
  ];
  return [`${countOf(count, 'issue')} ${still} ${is} not in these times.`];
}
