import type { ReportSummary, SummaryStatus } from '../../../api/answers/report/summary-answer.ts';
import type { Trend, TrendPoint } from '../../../api/answers/report/trend.ts';
import { neverInProgress } from '../../../api/outcomes/finish-of.ts';
import type { Provenance } from '../../../model/table.ts';
import { countOf, countWords, inStatus, timeText } from '../../../output/figure-words.ts';
import { durationWords, numberText, shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import { limits } from '../../blocks/limits.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { doubtWarnings, namedKeys } from '../view/answer-warnings.ts';
import { columnsOf, durationChart, type FigureParts, tableBehind } from '../view/figures-drawn.ts';
import { joinedTexts, wordedText } from '../view/marked-wording.ts';
import { figureTitle } from './statistic-view.ts';

const BARS = 10;
const NAME_LENGTH = 80;
const REASONS = 3;
const STATUS_LENGTH = 40;
const PERIODS = 12;

type SummaryParts = FigureParts & Pick<AnswerSheet, 'warnings'>;

/** The time from start to done, and the statuses where it went; `subject` names the issues and their number. */
export function summaryView(
  summary: ReportSummary,
  provenance: Provenance,
  { subject, withAverage }: { readonly subject: (wording: Wording) => string; readonly withAverage: boolean },
): SummaryParts & {
  /** The issues that the figures leave out; null if there are none. */
  readonly leftOut: (wording: Wording) => string | null;
} {
  const dayMs = dayMsOf(provenance.calendar);
  const started = summary.statuses.filter(({ kind }) => kind !== 'queue');
  // If nothing was started, there is only waiting.
  const shown = started.length > 0 ? started : summary.statuses;
  const longest = shown.toSorted((a, b) => totalOf(b) - totalOf(a)).slice(0, BARS);
  const bars = shown.filter((status) => longest.includes(status));
  const chart = durationChart({
    kind: 'bar',
    title: 'Average time per status',
    names: ['Average'],
    bars: bars.map(({ name, averageMs }) => ({ label: name, values: [averageMs] })),
    dayMs,
  });
  const table = {
    columns: [...columnsOf('text', 'Status'), ...columnsOf('figure', 'Average', 'Median', 'p85', 'Issues')],
    rows: summary.statuses.map(({ name, averageMs, medianMs, p85Ms, count }) => [
      { text: name },
      ...[averageMs, medianMs, p85Ms].map((ms) => ({ text: timeText(ms, dayMs), value: ms })),
      { text: countWords(count), value: count },
    ]),
    what: 'statuses',
  };
  return {
    headline: wordedText((wording) =>
      [
        `${wording.bold(subject(wording))}${paceText(summary, dayMs, withAverage)}`,
        ...mostText(shown, wording),
        ...(summary.issues === 0 ? ['Choose a longer time or other issues, and ask again.'] : []),
      ].join('\n'),
    ),
    warnings: doubtWarnings(summary, provenance),
    ...tableBehind(
      chart,
      table,
      bars.map(({ name, averageMs }) => [name, timeText(averageMs, dayMs)]),
    ),
    leftOut(wording) {
      const parts = [withoutCycleTime(summary), notStarted(summary, shown, dayMs, wording)];
      const known = parts.filter((one) => one !== null);
      return known.length === 0 ? null : known.join(' · ');
    },
  };
}

function totalOf({ averageMs, count }: SummaryStatus): number {
  return (averageMs ?? 0) * count;
}

/** Half and most of the finished issues; of one how long it took. */
function paceText(
  { issues, finished, cycleTime, percentile }: ReportSummary,
  dayMs: number,
  withAverage: boolean,
): string {
  const { count, medianMs, p85Ms, averageMs } = cycleTime;
  const words = (ms: number) => durationWords(ms, dayMs);
  const mean = withAverage && averageMs !== null && count > 1 ? `${words(averageMs)} on average, ` : '';
  const other =
    percentile === null ? '' : `, ${numberText(percentile.percent)}% within ${words(percentile.valueMs)}`;
  const some = ` · ${countWords(finished)} finished`;
  if (medianMs === null || p85Ms === null) return finished > 0 && finished < issues ? some : '';
  const pace =
    count === 1
      ? `took ${words(medianMs)} from start to done`
      : `${mean}half ${count < finished ? `of the ${countWords(count)} with a cycle time ` : ''}within ${words(medianMs)}, 85% within ${words(p85Ms)}${other} from start to done`;
  return finished < issues ? `${some}: ${pace}` : ` · ${pace}`;
}

function mostText(shown: readonly SummaryStatus[], { strong, words }: Wording): string[] {
  const whole = shown.reduce((sum, status) => sum + totalOf(status), 0);
  const [first] = shown.toSorted((a, b) => totalOf(b) - totalOf(a));
  if (first === undefined || shown.length < 2 || whole === 0) return [];
  const share = words(percentText(totalOf(first) / whole));
  return [`${strong(shorten(first.name, NAME_LENGTH))} is where most time goes (${share}).`];
}

/** `52 without a cycle time: never in progress 40, history cut 12`: what finished issues lack. */
function withoutCycleTime({ noCycleTimeReasons }: ReportSummary): string | null {
  const count = noCycleTimeReasons.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return null;
  const named = noCycleTimeReasons
    .slice(0, REASONS)
    .map(
      ({ reason, count: one }) =>
        `${reason === neverInProgress ? 'never in a started status' : shorten(reason, NAME_LENGTH)}${noCycleTimeReasons.length > 1 ? ` (${countWords(one)})` : ''}`,
    );
  const more = noCycleTimeReasons.length > REASONS ? '; and other reasons' : '';
  return `${countWords(count)} finished without a cycle time: ${named.join('; ')}${more}`;
}

/** The time of the issues before work on them starts, an issue each on average. */
function notStarted(
  { statuses, historyKnown }: ReportSummary,
  shown: readonly SummaryStatus[],
  dayMs: number,
  wording: Wording,
): string | null {
  const waiting = statuses.filter((status) => !shown.includes(status));
  const whole = waiting.reduce((sum, status) => sum + totalOf(status), 0);
  if (whole === 0 || historyKnown === 0) return null;
  const names = waiting.map(({ name }) => name);
  return `before work starts: ${durationWords(whole / historyKnown, dayMs)} in ${namedKeys(names, wording)} (average)`;
}

/** Times by the period in which issues were finished; `subject` names the issues and how many they are. */
export function trendView(
  trend: Trend,
  provenance: Provenance,
  subject: (wording: Wording) => string,
): SummaryParts {
  const { points, inProgress, statistic } = trend;
  const dayMs = dayMsOf(provenance.calendar);
  const what = timeName(trend);
  const title = figureTitle(statistic);
  const hasP85 = !(statistic.type === 'percentile' && statistic.percentile === 85);
  const shown = ({ figureMs, times }: TrendPoint) =>
    `${timeText(figureMs, dayMs)}${hasP85 && times.count > 0 ? `, p85 ${timeText(times.p85Ms, dayMs)}` : ''}`;
  const chart = durationChart({
    kind: 'bar',
    title: shorten(`${title} ${what} by period of finish (issues)`, limits.chart.title),
    names: [title],
    bars: points
      .slice(-PERIODS)
      .map(({ id, figureMs, times }) => ({ label: `${id} (${times.count})`, values: [figureMs] })),
    dayMs,
    // A period in which nothing was finished keeps its place.
    missing: 0,
  });
  const figures = ['Issues finished', `With ${what}`, `${title} ${what}`, ...(hasP85 ? ['p85'] : [])];
  const table = {
    columns: [...columnsOf('name', 'Finished in'), ...columnsOf('figure', ...figures)],
    rows: points
      .toReversed()
      .map(({ finished, figureMs, times: { count, p85Ms }, ...point }) => [
        { text: periodName(point) },
        ...[finished, count].map((value) => ({ text: countWords(value), value })),
        ...[figureMs, ...(hasP85 ? [p85Ms] : [])].map((value) => ({ text: timeText(value, dayMs), value })),
      ]),
    what: 'periods',
  };
  const lead = `${title}${hasP85 ? ' and p85' : ''} of issues with ${what}:`;
  const { summary, ...view } = tableBehind(
    chart,
    table,
    points
      .toReversed()
      .map((point) => [`${periodName(point)} (${countOf(point.times.count, 'issue')})`, shown(point)]),
  );
  return {
    headline: wordedText((wording) =>
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
      : { summary: joinedTexts([wordedText(({ words }) => words(lead)), summary], ' ') }),
  };
}

/** The name of a trend's times: `cycle time`, `time in QA`. */
function timeName({ status }: Pick<Trend, 'status'>): string {
  return status === null ? 'cycle time' : `time ${inStatus(shorten(status.name, STATUS_LENGTH))}`;
}

/** `2026-11 so far`, and `2026-08 in part` where the time asked about begins or ends within it. */
function periodName({ id, part, running }: Pick<TrendPoint, 'id' | 'part' | 'running'>): string {
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
      `${timeText(point.figureMs, dayMs)} in ${periodName(point)} (${countOf(point.times.count, 'issue')})`,
  );
  return [`${figureTitle(trend.statistic)} ${words(timeName(trend))} ${parts.join(', ')}.`];
}

function withoutText(trend: Trend, { words }: Wording): string[] {
  const count = trend.finished - trend.times.count;
  const have = count === 1 ? 'has' : 'have';
  return count === 0 ? [] : [`${countOf(count, 'finished issue')} ${have} no ${words(timeName(trend))}.`];
}

/** A sentence on issues in progress: they are not finished yet, and would make the last periods longer. */
function inProgressText(count: number, isRunning: boolean): string[] {
  if (count === 0) return [];
  const still = isRunning ? 'still in progress' : 'in progress at the end';
  return [`${countOf(count, 'issue')} ${still} ${count === 1 ? 'is' : 'are'} not in these times.`];
}
