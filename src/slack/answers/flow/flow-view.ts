import type { FlowMetrics } from '../../../api/answers/flow/flow-answer.ts';
import { FLOW_WEEKS, type FlowQuestion, flowKind } from '../../../api/answers/flow/flow-kind.ts';
import type { Selection } from '../../../model/request.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import { countOf, countOrUnknown, countWords, timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import { dayMsOf, dayWords, type Wording } from '../../../output/wording.ts';
import { limits } from '../../blocks/limits.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { filterQuestion } from '../view/filter-question.ts';
import { type Text, say as worded } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { flowCharts, weekLabels } from './flow-charts.ts';

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
  { question: { selection }, place }: ViewContext & { readonly question: FlowQuestion },
): AnswerSheet {
  const { total, provenance, stages } = flow;
  const isEmpty = total.arrived + (total.finished ?? 0) + (total.inProgress ?? 0) === 0;
  const share = total.flowEfficiency;
  return {
    headline: worded((wording) => headText(flow, selection, isEmpty, wording)),
    warnings: finishedWarnings(provenance, flow, null, 'now'),
    fields: isEmpty ? [] : fieldsOf(flow),
    ...(share === null ? {} : { summary: worded(() => `Flow efficiency ${percentText(share)}`) }),
    chart: isEmpty ? null : weeksChart(flow),
    charts: flowCharts(flow),
    footer: worded((wording) =>
      [
        ...(stages.length === 0 ? [] : [stagesText(flow, wording)]),
        footText(historiesOf(provenance), wording, queryText(selection, place)),
      ].join('\n'),
    ),
  };
}

function headText(flow: FlowMetrics, selection: Selection, isEmpty: boolean, wording: Wording): string {
  const {
    weeks,
    provenance: { timeZone, asOf },
  } = flow;
  const since = dayWords(weeks[0]?.start ?? asOf, { timeZone, near: asOf });
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
  const field = (figure: string, more: string) => worded(({ strong }) => `${strong(figure)}\n${more}`);
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
