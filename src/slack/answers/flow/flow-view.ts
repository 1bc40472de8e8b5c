import type { FlowMetrics } from '../../../api/answers/flow/flow-answer.ts';
import { FLOW_WEEKS, type FlowQuestion, flowKind } from '../../../api/answers/flow/flow-kind.ts';
import { isStarted } from '../../../api/outcomes/issue-flow.ts';
import type { Selection } from '../../../model/request.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import {
  countOf,
  countOrUnknown,
  countWords,
  inStatus,
  NEVER,
  timeText,
} from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import { dayMsOf, dayWords, type Wording, weekLabel } from '../../../output/wording.ts';
import { limits } from '../../blocks/limits.ts';
import type { AnswerChart, AnswerSheet, DetailTable } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import {
  chartLabels,
  chartUnit,
  columnsOf,
  PAGE_ROWS_BELOW_CHART,
  pagedTable,
} from '../view/figures-drawn.ts';
import { type Text, wordedText } from '../view/marked-wording.ts';
import { filterQuestion, type QuestionView, type ViewContext } from '../view/question-view.ts';

const NAME_LENGTH = 60;
const STAGE_LENGTH = 30;
const MAX_STAGES = 12;

/** `/tis flow [FILTER] [in CALENDAR]`. */
export const flowView: QuestionView<FlowQuestion, FlowMetrics> = {
  of: flowKind,
  builderTitle: 'Flow: the last twelve weeks',
  commands: [
    {
      word: 'flow',
      usage: '/tis flow [FILTER] [in CALENDAR]',
      summary: 'twelve weeks of flow: arrivals, finished, work in progress, cycle times, as pictures',
      examples: ['/tis flow WEB', '/tis flow jql project = WEB AND type = Bug'],
      details:
        'Buttons show a cumulative flow diagram, a scatter of cycle times, the age of work in progress and throughput. Without a FILTER it uses the default projects of this channel, else the project with most of your issues.',
      tries: ({ project }) => [`/tis flow ${project}`],
    },
  ],
  ...filterQuestion('flow'),
  title: ({ selection }) => `the flow of ${issuesText(selection)}`,
  view: flowSheet,
};

/** Twelve weeks at a glance: four figures, the weeks as lines, and a button for each picture. */
function flowSheet(
  flow: FlowMetrics,
  { question: { selection }, place }: ViewContext<FlowQuestion>,
): AnswerSheet {
  const { total, provenance, stages } = flow;
  const isEmpty = total.arrived + (total.finished ?? 0) + (total.inProgress ?? 0) === 0;
  const share = total.flowEfficiency;
  return {
    headline: wordedText((wording) => headText(flow, selection, isEmpty, wording)),
    warnings: finishedWarnings(provenance, flow, null, 'now'),
    fields: isEmpty ? [] : fieldsOf(flow),
    ...(share === null ? {} : { summary: wordedText(() => `Flow efficiency ${percentText(share)}`) }),
    chart: isEmpty ? null : weeksChart(flow),
    charts: flowCharts(flow),
    footer: wordedText((wording) =>
      [
        ...(stages.length === 0 ? [] : [stagesText(flow, wording)]),
        footText(historiesOf(provenance), wording, queryText(selection, place)),
      ].join('\n'),
    ),
  };
}

function headText(flow: FlowMetrics, selection: Selection, isEmpty: boolean, wording: Wording): string {
  const { timeZone, asOf } = flow.provenance;
  const since = dayWords(flow.weeks[0]?.start ?? asOf, { timeZone, near: asOf });
  const which = selectionWords(selection, wording);
  if (isEmpty)
    return `${wording.bold(`Nothing was created, worked on or finished${which}`)} since ${since}. Try other issues.`;
  const title =
    selection.by === 'project'
      ? wording.strong(`${shorten(selection.project, NAME_LENGTH)} · last ${FLOW_WEEKS} weeks`)
      : `${wording.strong(`Last ${FLOW_WEEKS} weeks`)} · issues${which}`;
  return `${title} · since ${since}`;
}

/** Arrivals, finishes, work in progress and cycle time beside each other. */
function fieldsOf({ weeks, total, provenance }: FlowMetrics): readonly Text[] {
  const dayMs = dayMsOf(provenance.calendar);
  const whole = weeks.filter((week) => week.whole);
  const perWeek = (figure: (week: FlowMetrics['weeks'][number]) => number | null) => {
    const known = whole.flatMap((week) => figure(week) ?? []);
    if (known.length < whole.length || known.length === 0) return 'some weeks are unknown';
    return `${countWords(known.reduce((sum, one) => sum + one, 0) / known.length)} a week on average`;
  };
  const field = (figure: string, more: string) => wordedText(({ strong }) => `${strong(figure)}\n${more}`);
  const { count, p50Ms, p85Ms } = total.cycleTime;
  const first = weeks[0]?.inProgress ?? null;
  return [
    field(
      `${countWords(total.arrived)} arrived`,
      perWeek(({ arrived }) => arrived),
    ),
    field(
      `${countOrUnknown(total.finished)} finished`,
      perWeek(({ finished }) => finished),
    ),
    field(
      total.inProgress === null
        ? 'Number in progress unknown'
        : `${countWords(total.inProgress)} in progress`,
      first === null
        ? 'at the end of the first week: unknown'
        : `${countWords(first)} at the end of the first week`,
    ),
    p50Ms === null || p85Ms === null
      ? field('No cycle times', 'of the issues finished')
      : field(
          `85% within ${timeText(p85Ms, dayMs)}`,
          `median ${timeText(p50Ms, dayMs)}, ${countOf(count, 'issue')}`,
        ),
  ];
}

/** Arrived, finished and in progress by whole week; null where a figure is unknown. */
function weeksChart(flow: FlowMetrics): Chart | null {
  const weeks = flow.weeks.filter(({ whole }) => whole);
  const categories = weekLabels(flow).slice(0, weeks.length);
  const series = [
    { name: 'Arrived', values: weeks.map(({ arrived }) => arrived) },
    { name: 'Finished', values: weeks.map(({ finished }) => finished) },
    { name: 'In progress', values: weeks.map(({ inProgress }) => inProgress) },
  ];
  if (series.some(({ values }) => values.includes(null))) return null;
  const title = 'Arrived, finished and in progress by week';
  const words = series.map(
    ({ name, values }) =>
      `${name} ${values.map((value, i) => `${categories[i]} ${countOrUnknown(value)}`).join(', ')}`,
  );
  return {
    kind: 'line',
    title,
    unit: 'issues',
    categories,
    series,
    alt: shorten(`${title}: ${words.join('; ')}.`, limits.image.alt),
  };
}

/** `Flow: To Do ▸ Doing ▸ Review (waits) ▸ Done`. */
function stagesText({ stages }: FlowMetrics, { words }: Wording): string {
  const shown = stages
    .slice(0, MAX_STAGES)
    .map(({ name, kind }) => `${words(shorten(name, STAGE_LENGTH))}${kind === 'waiting' ? ' (waits)' : ''}`);
  return `Flow: ${[...shown, ...(stages.length > MAX_STAGES ? ['…'] : [])].join(' ▸ ')}`;
}

/** The pictures of flow, a button each. One without anything to show is left out. */
function flowCharts(flow: FlowMetrics): readonly AnswerChart[] {
  return [cumulativeFlow(flow), scatter(flow), aging(flow), throughput(flow)].flatMap((one) => one ?? []);
}

/** The weeks as a chart calls them; the running one is `now`. */
function weekLabels({ weeks, provenance: { timeZone, asOf } }: FlowMetrics): readonly string[] {
  return chartLabels(weeks.map(({ id, whole }) => (whole ? weekLabel(id, timeZone, asOf) : 'now')));
}

/** Issues by stage at the end of each day. A queue and what is done count from their lowest day on: else nothing of the rest shows. */
function cumulativeFlow({ stages, instants, provenance }: FlowMetrics): AnswerChart | null {
  const { timeZone, asOf } = provenance;
  const bands = stages.map(({ name, kind, counts }) => {
    const isCut = kind === 'queue' || kind === 'done';
    const values = counts.map((count) => count - (isCut ? Math.min(...counts) : 0));
    const [from, until] = [counts[0] ?? 0, counts.at(-1) ?? 0];
    const shown = isCut ? `+${countWords(values.at(-1) ?? 0)}` : countWords(until);
    return { name: shorten(name, STAGE_LENGTH), kind, values, from, until, shown };
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
    text: wordedText(({ strong }) => {
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
      series: bands.toReversed().map(({ name, values, shown }) => ({ name: `${name} ${shown}`, values })),
      alt: shorten(
        `${title} from ${day(instants[0] ?? asOf)} to ${day(asOf)}: ${words.join(', ')}.`,
        limits.image.alt,
      ),
    },
  };
}

/** The cycle time of each issue by when it was finished, with percentiles. */
function scatter(flow: FlowMetrics): AnswerChart | null {
  const { finishedIssues, weeks, provenance } = flow;
  const { count, p50Ms, p85Ms, p95Ms } = flow.total.cycleTime;
  if (p50Ms === null || p85Ms === null || p95Ms === null || finishedIssues.length === 0) return null;
  const dayMs = dayMsOf(provenance.calendar);
  const { unit, of } = chartUnit(Math.max(...finishedIssues.map(({ cycleMs }) => cycleMs), p95Ms), dayMs);
  const words = (ms: number) => timeText(ms, dayMs);
  const categories = weekLabels(flow);
  const positionOf = (at: number) => {
    const week = weeks.findLastIndex(({ start }, i) => i === 0 || start <= at);
    const { start = at, end = at + 1 } = weeks[week] ?? {};
    return week + (at - start) / (end - start);
  };
  const some = finishedIssues.length < count ? `${countWords(finishedIssues.length)} of ` : '';
  const title = 'Cycle time by finish';
  return {
    id: 'scatter',
    title: 'Scatter',
    text: wordedText(
      ({ strong }) =>
        `${strong(title)}: 85% of ${countOf(count, 'issue')} took ${words(p85Ms)} or less from start to done; half took ${words(p50Ms)} or less, 95% ${words(p95Ms)}. A dot is an issue${some === '' ? '' : `; ${some}${countWords(count)} are drawn`}.`,
    ),
    chart: {
      kind: 'scatter',
      title,
      unit,
      categories,
      series: Object.entries({ p50: p50Ms, p85: p85Ms, p95: p95Ms }).map(([name, ms]) => ({
        name: `${name} ${words(ms)}`,
        values: categories.map(() => of(ms)),
      })),
      points: finishedIssues.map(({ finishedAt, cycleMs }) => ({
        at: positionOf(finishedAt),
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

/** The issues of a stage are side by side at these, in turns, so that none hides another. */
const offsets = [0.5, 0.3, 0.7, 0.4, 0.6, 0.2, 0.8];

/** The age of each started issue by stage, against the ages at which finished ones left the stage. */
function aging({ stages, openIssues, provenance }: FlowMetrics): AnswerChart | null {
  const started = stages.filter(({ kind, open, left }) => isStarted(kind) && (open > 0 || left.count > 0));
  const [oldest] = openIssues;
  if (oldest === undefined) return null;
  const dayMs = dayMsOf(provenance.calendar);
  const words = (ms: number) => timeText(ms, dayMs);
  const longestMs = Math.max(oldest.ageMs, ...started.map(({ left }) => left.p95Ms ?? 0));
  const { unit, of } = chartUnit(longestMs, dayMs);
  const p85 = new Map(started.map(({ name, left }) => [name, left.p85Ms]));
  const beyond = openIssues.filter(
    ({ stage, ageMs }) => ageMs > (p85.get(stage) ?? Number.POSITIVE_INFINITY),
  );
  const count = started.reduce((sum, { open }) => sum + open, 0);
  const lines = (['p50', 'p85', 'p95'] as const)
    .map((name) => ({ name, times: started.map(({ left }) => left[`${name}Ms` as const]) }))
    .filter(({ times }) => times.some((ms) => ms !== null))
    .map(({ name, times }) => ({ name, values: times.map((ms) => (ms === null ? null : of(ms))) }));
  const title = 'Age of work in progress';
  return {
    id: 'aging',
    title: 'Aging',
    text: wordedText(({ strong, words: plainWords }) => {
      const are = beyond.length === 1 ? 'is' : 'are';
      const last = `${plainWords(shorten(oldest.key, STAGE_LENGTH))}, ${words(oldest.ageMs)}, ${plainWords(inStatus(shorten(oldest.stage, STAGE_LENGTH)))}`;
      return `${strong(title)}: ${countWords(beyond.length)} of ${countOf(count, 'started issue')} ${are} older than 85% of the finished issues were when they left that stage. Oldest: ${last}.`;
    }),
    chart: {
      kind: 'scatter',
      title,
      unit,
      categories: chartLabels(started.map(({ name }) => name)),
      series: lines,
      points: started.flatMap(({ name }, index) =>
        openIssues
          .filter(({ stage }) => stage === name)
          .map(({ ageMs }, i) => ({ at: index + (offsets[i % offsets.length] ?? 0.5), value: of(ageMs) })),
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
    text: wordedText(({ strong }) => {
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
  const figures = columnsOf('figure', 'Arrived', 'Finished', 'In progress', 'Median', 'p85');
  const pages = { caption: 'By week', pageRows: PAGE_ROWS_BELOW_CHART };
  return pagedTable([...columnsOf('name', 'Week'), ...figures], rows, pages);
}
