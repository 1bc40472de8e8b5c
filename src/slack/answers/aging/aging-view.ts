import type { Aging, AgingIssue } from '../../../api/answers/aging/aging-answer.ts';
import { type AgingQuestion, agingKind } from '../../../api/answers/aging/aging-kind.ts';
import type { Selection } from '../../../model/request.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import { countOf, countWords, shownPace, timesUsual, timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import { hoursOf, parseOptions } from '../../ask/grammar/parse-options.ts';
import { filterOrDefault } from '../../ask/grammar/read-filter.ts';
import { limits } from '../../blocks/limits.ts';
import { agingTable, nudgeOf, targetsText } from '../view/aging-rows.ts';
import type { AnswerPlace, AnswerSheet } from '../view/answer-sheet.ts';
import { agingWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { chartDetail, chartLabels } from '../view/figures-drawn.ts';
import { wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';

const MEANING =
  '"Usual" is the 85th percentile of the last 90 days in that status and project (5 stays or more). "Target" is the time from start to done that the flow of the project sets, else the 85th percentile of the last 90 days.';

/** `/tis aging [FILTER] [with backlog] [in CALENDAR]`. */
export const agingView: QuestionView<AgingQuestion, Aging> = {
  of: agingKind,
  builderTitle: 'Aging: started issues that take longer than usual',
  commands: [
    {
      word: 'aging',
      usage: '/tis aging [FILTER] [with backlog] [in CALENDAR]',
      summary: 'started issues that have been in their status longer than usual',
      examples: [
        '/tis aging WEB',
        '/tis aging WEB with backlog',
        '/tis aging assignee ada',
        '/tis aging jql project = WEB AND status = "In Review"',
      ],
      details:
        'Usual is the 85th percentile of the last 90 days. *Nudge* asks the assignee of an issue, and the answer comes back to you. Without a FILTER it uses the default projects of this channel, else the project with most of your issues.',
      tries: ({ project }) => [`/tis aging ${project}`],
    },
  ],
  async read(words, context) {
    const { left, tails } = await parseOptions(words, ['calendar', 'unit', 'backlog'], context);
    const { selection, remark } = await filterOrDefault(left, context);
    const question: AgingQuestion = {
      kind: 'aging',
      selection,
      ...hoursOf(tails, context),
      ...(tails.backlog === undefined ? {} : { backlog: tails.backlog }),
    };
    await context.check(question);
    return { question, remark };
  },
  builder: ({ selection, calendar, backlog = false }) => ({
    report: 'aging',
    filter: selection,
    calendar,
    withBacklog: backlog,
  }),
  ofBuilder: ({ filter: { selection }, calendar, timeZone, withBacklog }): AgingQuestion => ({
    kind: 'aging',
    selection,
    calendar,
    timeZone,
    ...(withBacklog ? { backlog: true } : {}),
  }),
  title: ({ selection, backlog }) =>
    `${backlog === undefined ? 'started' : 'open'} work of ${issuesText(selection)}`,
  view: agingSheet,
};

/** Issues by how far they are beyond what is usual: how many are, a row each, and what is not started; a bar each in the details. */
function agingSheet(
  aging: Aging,
  { question, part: { start, size }, place }: ViewContext<AgingQuestion>,
): AnswerSheet {
  const { issues, total: count, notStarted, provenance } = aging;
  const { selection, backlog } = question;
  const dayMs = dayMsOf(provenance.calendar);
  const shown = issues.slice(start, start + size);
  const nudges = shown.flatMap(({ key, ageMs, usual, assignee }) => {
    const isLate = usual === null || ageMs > usual.p85Ms;
    return (isLate && nudgeOf(`Nudge ${assignee?.name} about ${key}`, key, assignee)) || [];
  });
  const hasMore = backlog === undefined && notStarted.count > 0;
  const command = typedFilter(selection, place);
  const foot = (wording: Wording) => footText(historiesOf(provenance), wording, queryText(selection, place));
  return {
    headline: wordedText((wording) =>
      [headText(aging, question, wording), targetsText(aging)].filter((one) => one !== null).join('\n'),
    ),
    warnings: agingWarnings([{ aging, of: null }]),
    table: agingTable(
      // A cell of a table mentions no one.
      shown.map((issue) => ({ ...issue, person: issue.assignee?.name ?? null })),
      { title: 'Assignee', provenance },
    ),
    nudges: place === 'private' && start === 0 ? nudges : [],
    ...(hasMore && command !== null
      ? { followUps: [{ title: 'With backlog', line: withBacklog(command, provenance.calendar) }] }
      : {}),
    page: { start, end: start + shown.length, total: count },
    footer: wordedText((wording) =>
      [...(hasMore ? [backlogText(notStarted, command, dayMs, wording)] : []), foot(wording)].join('\n'),
    ),
    details: chartDetail(agingChart(shown), null, MEANING),
  };
}

function headText(aging: Aging, { selection, backlog }: AgingQuestion, wording: Wording): string {
  const { total: count, beyondUsual: beyond, withUsual: withBaseline } = aging;
  const { bold } = wording;
  const which = selectionWords(selection, wording);
  const kind = backlog === undefined ? 'started issue' : 'open issue';
  if (count === 0) return nothingText(aging, kind, which, wording);
  if (beyond > 0) {
    const some = beyond < count ? `${countWords(beyond)} of ${countOf(count, kind)}` : allOf(count, kind);
    return bold(
      `${some}${which} ${beyond === 1 ? 'has been in its' : 'have been in their'} status longer than usual`,
    );
  }
  const all = `${countOf(count, kind)}${which}`;
  if (withBaseline === 0) return `${bold(all)} · not enough history yet to say what is usual`;
  const without = count - withBaseline;
  const others = without === 0 ? '' : `, ${countWords(without)} with nothing to compare with`;
  return `${bold(`No ${kind}${which} has been in its status longer than usual`)} · ${countWords(count)} ${backlog === undefined ? 'started' : 'open'}${others}`;
}

function allOf(count: number, kind: string): string {
  return count === 1 ? `The one ${kind}` : `All ${countOf(count, kind)}`;
}

/** No issue has an age: there is none, or it is unknown. */
function nothingText(
  { ageUnknown, unclear, notStarted, provenance }: Aging,
  kind: string,
  which: string,
  { bold }: Wording,
): string {
  if (ageUnknown.length > 0)
    return `${bold(`${countOf(ageUnknown.length, kind)}${which}`)} · when ${ageUnknown.length === 1 ? 'it' : 'they'} entered the status is unknown`;
  if (unclear.length + provenance.undecided > 0)
    return `${bold(`No ${kind} found${which}`)}, but some issues could not be checked.`;
  if (notStarted.count > 0) return bold(`No ${kind}s${which}`);
  return `${bold(`No open issues${which}`)} that you can see. Try other issues, or see what was finished: \`/tis weekly\``;
}

/** `63 issues are not started (oldest 512d): /tis aging WEB with backlog`. */
function backlogText(
  { count, oldestMs }: Aging['notStarted'],
  command: string | null,
  dayMs: number,
  { words }: Wording,
): string {
  const are = count === 1 ? 'issue is' : 'issues are';
  const oldest = oldestMs === null ? '' : ` (${count === 1 ? '' : 'oldest '}${timeText(oldestMs, dayMs)})`;
  const line = command === null ? 'with backlog' : `/tis aging ${command} with backlog`;
  const how = `\`${words(shorten(line.replaceAll('`', ''), LINE_LENGTH))}\``;
  return `${countWords(count)} ${are} not started${oldest}: ${command === null ? `add ${how} to see them` : how}`;
}

function withBacklog(command: string, { continuous, name }: Aging['provenance']['calendar']): string {
  return `/tis aging ${command} with backlog in ${continuous ? '24/7' : name}`;
}

const FEW_KEYS = 3;
const LINE_LENGTH = 200;
const QUERY_LENGTH = 80;

/** The filter as it is typed; null where it is too long, or not for everyone who reads it. */
function typedFilter(selection: Selection, place: AnswerPlace): string | null {
  if (selection.by === 'project') return selection.project;
  if (selection.by === 'keys') return selection.keys.length > FEW_KEYS ? null : selection.keys.join(' ');
  const query = queryText(selection, place);
  return query === null || query.length > QUERY_LENGTH ? null : `jql ${query}`;
}

/** More bars are no glance. */
const BARS = 12;

/** By how much issues are beyond what is usual in their status, in the order of their table; null of fewer than two. */
function agingChart(issues: readonly AgingIssue[]): Chart | null {
  const known = issues.flatMap(({ key, pace }) => (pace === null ? [] : [{ key, pace }])).slice(0, BARS);
  if (known.length < 2) return null;
  const title = 'Time in status against usual';
  const categories = chartLabels(known.map(({ key }) => key));
  const words = known.map(({ pace }, index) => `${categories[index]} ${timesUsual(pace)}`);
  return {
    kind: 'bar',
    title,
    unit: '× usual',
    categories,
    series: [{ name: '× usual', values: known.map(({ pace }) => shownPace(pace)) }],
    alt: shorten(`${title}: ${words.join(', ')}.`, limits.image.alt),
  };
}
