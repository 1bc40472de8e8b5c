import type { FlowMetrics, FlowStage } from '../../../api/answers/flow/flow-answer.ts';
import { isStarted } from '../../../api/outcomes/issue-flow.ts';
import type { Chart, Series } from '../../../output/charts/chart.ts';
import {
  countOf,
  countOrUnknown,
  countWords,
  inStatus,
  NEVER,
  timeText,
} from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { dayMsOf, dayWords, weekLabel } from '../../../output/wording.ts';
import { limits } from '../../blocks/limits.ts';
import type { AnswerChart, DetailTable } from '../view/answer-sheet.ts';
import { chartLabels, chartUnit, figureTable } from '../view/figures-drawn.ts';
import { say as worded } from '../view/marked-wording.ts';
import { PAGE_ROWS_BELOW_CHART, pagedTable } from '../view/paged-table.ts';

const NAME_LENGTH = 30;

/** The pictures of flow, a button each. One without anything to show is left out. */
export function flowCharts(flow: FlowMetrics): readonly AnswerChart[] {
  return [cumulativeFlow(flow), scatter(flow), aging(flow), throughput(flow)].flatMap((one) => one ?? []);
}

/** The weeks as a chart calls them; the running one is `now`. */
export function weekLabels({ weeks, provenance: { timeZone, asOf } }: FlowMetrics): readonly string[] {
  return chartLabels(weeks.map(({ id, whole }) => (whole ? weekLabel(id, timeZone, asOf) : 'now')));
}

/** Issues by stage at the end of each day. A queue and what is done count from their lowest day on: else nothing of the rest shows. */
function cumulativeFlow({
  stages,
  instants,
  provenance: { timeZone, asOf },
}: FlowMetrics): AnswerChart | null {
  const last = instants.length - 1;
  const bands = stages.map(({ name, kind, counts }) => {
    const isCut = kind === 'queue' || kind === 'done';
    const values = counts.map((count) => count - (isCut ? Math.min(...counts) : 0));
    const [from, until] = [counts[0] ?? 0, counts[last] ?? 0];
    const shown = isCut ? `+${countWords(values[last] ?? 0)}` : countWords(until);
    return { name: shorten(name, NAME_LENGTH), kind, values, from, until, shown };
  });
  if (bands.every(({ values }) => values.every((value) => value === 0))) return null;
  const day = (at: number) => dayWords(at, { timeZone, near: asOf });
  const [grown] = bands
    .filter(({ kind, from, until }) => isStarted(kind) && until > from)
    .toSorted((a, b) => b.until - b.from - (a.until - a.from));
  const title = 'Cumulative flow';
  const words = bands.map(
    ({ name, kind, from, until, shown }) =>
      `${name} ${kind === 'done' ? shown : `${countWords(from)} to ${countWords(until)}`}`,
  );
  return {
    id: 'cumulative',
    title,
    text: worded(({ strong }) => {
      const growth =
        grown === undefined
          ? 'No stage at work has more issues than at the start.'
          : `${strong(grown.name)} grew most: from ${countWords(grown.from)} to ${countOf(grown.until, 'issue')}.`;
      return `${strong(title)}: the issues in each stage by day since ${day(instants[0] ?? asOf)}; waiting to start and done count from their lowest day. ${growth}`;
    }),
    chart: {
      kind: 'stacked-area',
      title: `${title}: issues by stage`,
      unit: 'issues',
      categories: instants.map(day),
      series: bands
        .toReversed()
        .map(({ name, values, shown }): Series => ({ name: `${name} ${shown}`, values })),
      alt: shorten(
        `${title} from ${day(instants[0] ?? asOf)} to ${day(asOf)}: ${words.join(', ')}.`,
        limits.image.alt,
      ),
    },
  };
}

/** The cycle time of each issue by when it was finished, with percentiles. */
function scatter(flow: FlowMetrics): AnswerChart | null {
  const {
    finishedIssues,
    total: { cycleTime },
    weeks,
    provenance,
  } = flow;
  const { count, p50Ms, p85Ms, p95Ms } = cycleTime;
  if (p50Ms === null || p85Ms === null || p95Ms === null || finishedIssues.length === 0) return null;
  const dayMs = dayMsOf(provenance.calendar);
  const { unit, of } = chartUnit(Math.max(...finishedIssues.map(({ cycleMs }) => cycleMs), p95Ms), dayMs);
  const words = (ms: number) => timeText(ms, dayMs);
  const categories = weekLabels(flow);
  const placeOf = (at: number) => {
    const week = Math.max(
      0,
      weeks.findLastIndex(({ start }) => start <= at),
    );
    const { start = at, end = at + 1 } = weeks[week] ?? {};
    return week + (at - start) / (end - start);
  };
  const some = finishedIssues.length < count ? `${countWords(finishedIssues.length)} of ` : '';
  const title = 'Cycle time by finish';
  return {
    id: 'scatter',
    title: 'Scatter',
    text: worded(
      ({ strong }) =>
        `${strong(title)}: 85% of ${countOf(count, 'issue')} took ${words(p85Ms)} or less from start to done; half took ${words(p50Ms)} or less, 95% ${words(p95Ms)}. A dot is an issue${some === '' ? '' : `; ${some}${countWords(count)} are drawn`}.`,
    ),
    chart: {
      kind: 'scatter',
      title,
      unit,
      categories,
      series: (
        [
          ['p50', p50Ms],
          ['p85', p85Ms],
          ['p95', p95Ms],
        ] as const
      ).map(([name, ms]) => ({ name: `${name} ${words(ms)}`, values: categories.map(() => of(ms)) })),
      points: finishedIssues.map(({ finishedAt, cycleMs }) => ({
        at: placeOf(finishedAt),
        value: of(cycleMs),
      })),
      alt: shorten(
        `${title}: ${countOf(count, 'issue')}; p50 ${words(p50Ms)}, p85 ${words(p85Ms)}, p95 ${words(p95Ms)}. Median by week: ${weeks
          .map(
            ({ cycleTime: own }, i) =>
              `${categories[i]} ${own.medianMs === null ? 'none' : words(own.medianMs)} (${own.count})`,
          )
          .join(', ')}.`,
        limits.image.alt,
      ),
    },
  };
}

/** The age of each started issue by stage, against the ages at which finished ones left the stage. */
function aging({ stages, openIssues, provenance }: FlowMetrics): AnswerChart | null {
  const started = stages.filter(({ kind, open, left }) => isStarted(kind) && (open > 0 || left.count > 0));
  const [oldest] = openIssues;
  if (oldest === undefined) return null;
  const dayMs = dayMsOf(provenance.calendar);
  const words = (ms: number) => timeText(ms, dayMs);
  const limit = ({ left }: FlowStage) => left.p95Ms ?? 0;
  const { unit, of } = chartUnit(Math.max(oldest.ageMs, ...started.map(limit)), dayMs);
  const p85 = new Map(started.map(({ name, left }) => [name, left.p85Ms]));
  const beyond = openIssues.filter(
    ({ stage, ageMs }) => ageMs > (p85.get(stage) ?? Number.POSITIVE_INFINITY),
  );
  const count = started.reduce((sum, { open }) => sum + open, 0);
  const lines = (['p50', 'p85', 'p95'] as const).flatMap((name): Series[] => {
    const values = started.map(({ left }) => {
      const ms = left[`${name}Ms` as const];
      return ms === null ? null : of(ms);
    });
    return values.every((value) => value === null) ? [] : [{ name, values }];
  });
  const title = 'Age of work in progress';
  return {
    id: 'aging',
    title: 'Aging',
    text: worded(({ strong, words: plainWords }) => {
      const are = beyond.length === 1 ? 'is' : 'are';
      const last = `${plainWords(shorten(oldest.key, NAME_LENGTH))}, ${words(oldest.ageMs)}, ${plainWords(inStatus(shorten(oldest.stage, NAME_LENGTH)))}`;
      return `${strong(title)}: ${countWords(beyond.length)} of ${countOf(count, 'started issue')} ${are} older than 85% of the finished issues were when they left that stage. Oldest: ${last}.`;
    }),
    chart: {
      kind: 'scatter',
      title,
      unit,
      categories: chartLabels(started.map(({ name }) => name)),
      series: lines,
      points: started.flatMap(({ name }, at) =>
        spread(
          openIssues.filter(({ stage }) => stage === name),
          at,
          of,
        ),
      ),
      alt: shorten(
        `${title}: ${started
          .map(({ name, open, left }) => {
            const oldestHere = openIssues.find(({ stage }) => stage === name);
            const age =
              oldestHere === undefined ? '' : `, the oldest ${words(oldestHere.ageMs)} (${oldestHere.key})`;
            return `${name} ${countOf(open, 'issue')}${age}, p85 ${left.p85Ms === null ? 'unknown' : words(left.p85Ms)}`;
          })
          .join('; ')}.`,
        limits.image.alt,
      ),
    },
  };
}

/** The issues of a stage side by side, so that none hides another: the places repeat every few issues. */
function spread(
  issues: readonly { readonly ageMs: number }[],
  stage: number,
  of: (ms: number) => number,
): NonNullable<Chart['points']> {
  const places = [0.5, 0.3, 0.7, 0.4, 0.6, 0.2, 0.8];
  return issues.map(({ ageMs }, i) => ({ at: stage + (places[i % places.length] ?? 0.5), value: of(ageMs) }));
}

/** The number of issues finished in each week, and the figures of each week. */
function throughput(flow: FlowMetrics): AnswerChart | null {
  const { weeks } = flow;
  const counts = weeks.flatMap(({ whole, finished }) => (whole && finished !== null ? finished : []));
  if (!weeks.some(({ finished }) => (finished ?? 0) > 0)) return null;
  const categories = weekLabels(flow);
  const title = 'Throughput by week (finished issues)';
  const running = weeks.at(-1);
  return {
    id: 'throughput',
    title: 'Throughput',
    text: worded(({ strong }) => {
      const average = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
      const so =
        running === undefined || running.whole
          ? ''
          : `; ${countOrUnknown(running.finished)} so far this week`;
      return `${strong('Throughput')}: ${countWords(average)} issues a week were finished on average, from ${countWords(Math.min(...counts))} to ${countWords(Math.max(...counts))}${so}.`;
    }),
    chart: {
      kind: 'bar',
      title,
      unit: 'issues',
      categories,
      series: [{ name: 'Finished', values: weeks.map(({ finished }) => finished) }],
      alt: shorten(
        `${title}: ${weeks.map(({ finished }, i) => `${categories[i]} ${countOrUnknown(finished)}`).join(', ')}.`,
        limits.image.alt,
      ),
    },
    table: weekTable(flow, categories),
  };
}

/** The figures of each week, the newest first. */
function weekTable({ weeks, provenance }: FlowMetrics, names: readonly string[]): DetailTable | null {
  const dayMs = dayMsOf(provenance.calendar);
  const count = (value: number | null) => ({ text: value === null ? NEVER : countWords(value), value });
  const time = (value: number | null) => ({ text: value === null ? NEVER : timeText(value, dayMs), value });
  const rows = weeks
    .map(({ arrived, finished, inProgress, cycleTime: { medianMs, p85Ms } }, i) => [
      { text: names[i] ?? '', value: null },
      ...[arrived, finished, inProgress].map(count),
      ...[medianMs, p85Ms].map(time),
    ])
    .toReversed();
  const figures = ['Arrived', 'Finished', 'In progress', 'Median', 'p85'];
  const table = figureTable(
    [{ title: 'Week', holds: 'name' }, ...figures.map((title) => ({ title, holds: 'figure' as const }))],
    rows,
  );
  return table === null
    ? null
    : pagedTable(table, rows, { caption: 'By week', pageRows: PAGE_ROWS_BELOW_CHART });
}
