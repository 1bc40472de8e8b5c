import { millisecondsInDay } from 'date-fns/constants';
import { endOf, type SprintQuestion } from '../../../api/answers/sprint/find-sprint.ts';
import type { SprintFigures, SprintReport } from '../../../api/answers/sprint/sprint-answer.ts';
import { sprintKind } from '../../../api/answers/sprint/sprint-kind.ts';
import { AppError } from '../../../model/error.ts';
import { foldedName } from '../../../model/issues/ids-and-names.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import { changeText, countWords, type Sense, timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { issuesText } from '../../../output/subject-words.ts';
import { dayMsOf, dayRange, dayWords, type Wording } from '../../../output/wording.ts';
import { hoursOf, parseOptions, tailKinds } from '../../ask/grammar/parse-options.ts';
import type { ParserContext } from '../../ask/grammar/parser-context.ts';
import { filterOrDefault, leftoverError, readFilter } from '../../ask/grammar/read-filter.ts';
import { oneOf, plainText, type Word, wordsOf } from '../../ask/grammar/typed-words.ts';
import type { Message } from '../../blocks/message.ts';
import { codeText, context, escapeMrkdwn, section } from '../../blocks/mrkdwn.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf } from '../view/answer-warnings.ts';
import { chartLabels, columnsOf, figureTable } from '../view/figures-drawn.ts';
import { type Text, wordedText } from '../view/marked-wording.ts';
import type { QuestionView } from '../view/question-view.ts';

const NAME_LENGTH = 60;
/** More statuses in which nothing has started are counted, not named. */
const NOT_STARTED = 5;

/** `/tis sprint [NAME | PROJECT | last] [in CALENDAR]`. */
export const sprintView: QuestionView<SprintQuestion, SprintReport> = {
  of: sprintKind,
  builderTitle: 'Sprint: the one named, or the last with these issues',
  commands: [
    {
      word: 'sprint',
      usage: '/tis sprint [NAME | PROJECT | last] [in CALENDAR]',
      summary:
        'a sprint: throughput, carried-over and added work, cycle time and time in status vs. previous sprints',
      examples: [
        '/tis sprint',
        '/tis sprint WEB',
        '/tis sprint last',
        '/tis sprint "WEB Sprint 12"',
        '/tis sprint "WEB Sprint 12" median',
      ],
      details:
        "Part of a NAME is enough. With a PROJECT: its latest sprint that has begun. With neither: the latest sprint of this channel's projects, or of yours. `last` is the last one that was closed. Issues that joined after the start are added work. With a RANGE, STATISTIC, FIELD or REPORT after NAME, or with a query such as `sprint in openSprints()`, it is a report on the issues: `/tis help project`.",
      tries: ({ project }) => ['/tis sprint', `/tis weekly ${project}`],
    },
  ],
  builder: ({ sprint, selection, calendar }) => ({
    report: 'sprint',
    filter: sprint === null ? selection : { by: 'sprint', id: sprint },
    calendar,
  }),
  ofBuilder: ({ filter: { sprint, selection }, calendar, timeZone }): SprintQuestion => ({
    kind: 'sprint',
    ...(sprint === undefined ? { sprint: null, selection } : { sprint, selection: null }),
    calendar,
    timeZone,
  }),
  fixedProblem: ({ sprint }) =>
    sprint === null
      ? null
      : 'A digest about a named sprint never changes. Try: sprint alone, which is always the latest.',
  title: ({ sprint, selection, closed }) =>
    sprint === null
      ? `the last ${closed ? 'closed ' : ''}sprint${selection === null ? '' : ` of ${issuesText(selection)}`}`
      : `the sprint ${sprint}`,
  /** Reads what follows `sprint`: a name, a project, or `last`; null where the words ask for a report of the issues of a sprint. */
  async read(words, context) {
    const { left, tails } = await parseOptions(words, tailKinds, context);
    const { calendar: _calendar, unit: _unit, ...others } = tails;
    if (Object.keys(others).length > 0) return null;
    const question = (named: Pick<SprintQuestion, 'sprint' | 'selection'>): SprintQuestion => ({
      kind: 'sprint',
      ...named,
      ...hoursOf(tails, context),
    });
    const last = await takeLast(left, context);
    if (last !== null || left.length === 0) {
      const filter = last ?? [];
      // Without projects of their own it is the last sprint of all.
      const isOfAll = filter.length === 0 && (await context.defaultProjects()) === null;
      const { selection, remark } = isOfAll
        ? { selection: null, remark: null }
        : await filterOrDefault(filter, context);
      const ofIssues = question({ sprint: null, selection });
      return { question: last === null ? ofIssues : { ...ofIssues, closed: true }, remark };
    }
    const name = plainText(left);
    if (await isOnlyProject(name, context)) {
      const selection = { by: 'project', project: name } as const;
      return { question: question({ sprint: null, selection }), remark: null };
    }
    const { sprint, remark } = await readFilter([...wordsOf('sprint'), ...left], context).catch(
      async (error: unknown) => {
        const at = left.findLastIndex(({ plain }) => oneOf(['in'], plain) !== undefined);
        if (!(error instanceof AppError) || error.reason !== 'unknown-name' || at < 0) throw error;
        throw await leftoverError(left.slice(at), context);
      },
    );
    if (sprint === undefined) return null;
    const found = question({ sprint, selection: null });
    await context.check(found);
    return { question: found, remark: remark ?? (await ofSeveral(sprint, context)) };
  },
  view: sprintSheet,
};

/** A sprint: what was finished, carried over and added, and how long it took, vs. previous sprints. The rest is details. */
function sprintSheet(report: SprintReport): AnswerSheet {
  const { sprint: own, provenance } = report;
  return {
    headline: wordedText((wording) => headText(report, wording)),
    warnings: [
      ...finishedWarnings(provenance, report, endOf(own), "this sprint's end"),
      ...(own.added === null
        ? [wordedText(() => 'Added work is unknown: some histories start too late.')]
        : []),
    ],
    fields: fieldsOf(report),
    ...(own.added === null ? {} : { summary: wordedText(() => addedText(report, own.added ?? 0)) }),
    chart: sprintChart(report),
    footer: wordedText((wording) => footText(historiesOf(provenance), wording)),
    details: sprintDetails(report),
  };
}

/** `WEB Sprint 43 (Nov 3–16) · 12 finished, 3 carried over, 2 added`. */
function headText({ sprint: own, provenance }: SprintReport, { strong }: Wording): string {
  const { name, start, end, running, finished, carriedOver, added } = own;
  const words = { timeZone: provenance.timeZone, near: provenance.asOf };
  const days = running ? `${dayWords(start, words)} – now` : dayRange(start, end, words);
  const counts = [
    finished === null
      ? 'nothing is known to have been finished'
      : `${countWords(finished)} finished${running ? ' so far' : ''}`,
    `${carriedOver === null ? 'an unknown number' : countWords(carriedOver)} ${running ? 'not done yet' : 'carried over'}`,
    ...(added === null || added === 0 ? [] : [`${countWords(added)} added`]),
  ];
  return `${strong(shorten(name, NAME_LENGTH))} (${days}) · ${counts.join(', ')}`;
}

/** Figures beside each other, each with the average of the sprints before; a part of a sprint is compared with no whole one. */
function fieldsOf({ sprint: own, previousSprints: before, provenance }: SprintReport): Text[] {
  const dayMs = dayMsOf(provenance.calendar);
  const { running: isRunning } = own;
  const field = (
    title: (figure: string) => string,
    of: (one: SprintFigures) => number | null,
    { words, sense }: FigureWords,
  ): Text => {
    const now = of(own);
    const average = averageLine(now, before.map(of), { words, sense, sprint: own });
    return wordedText(({ strong }) =>
      [strong(title(now === null ? 'unknown' : words(now))), ...average].join('\n'),
    );
  };
  const count = (called: string, of: (one: SprintFigures) => number | null) =>
    field((figure) => `${figure} ${called}`, of, { words: countWords, sense: 'count' });
  const time = (called: string, which: 'median' | 'p85') =>
    field(
      (figure) => `${called} ${figure}`,
      ({ cycleTime }) => cycleTime[`${which}Ms` as const],
      { words: (ms) => timeText(ms, dayMs), sense: 'time' },
    );
  return [
    // The headline says how many there are; what is compared is shown beside it.
    ...(isRunning && before.length === 0
      ? []
      : [
          count('finished', ({ finished }) => finished),
          count(isRunning ? 'not done yet' : 'carried over', ({ carriedOver }) => carriedOver),
        ]),
    // One issue has no percentiles.
    ...(own.cycleTime.count > 1 ? [time('Median cycle time', 'median'), time('p85', 'p85')] : []),
    ...(own.cycleTime.count === 1 ? [time('Cycle time of 1 issue', 'median')] : []),
  ];
}

/** ` (day 6)`, where a sprint still runs: those before it are as they were then. */
function sameDay({ start, end, running: isRunning }: SprintFigures): string {
  return isRunning ? ` (day ${Math.floor((end - start) / millisecondsInDay) + 1})` : '';
}

/** `2 added after the start · 5-sprint average 1.4: ▲ 0.6 (43% more)`. */
function addedText({ sprint: own, previousSprints: before }: SprintReport, added: number): string {
  const earlier = before.map((one) => one.added);
  const average = averageLine(added, earlier, { words: countWords, sense: 'count', sprint: own });
  return [`${countWords(added)} added after the start`, ...average].join(' · ');
}

/** The words of a figure, and the meaning of a greater one. */
interface FigureWords {
  readonly words: (amount: number) => string;
  readonly sense: Sense;
}

/** `5-sprint average 9: ▲ 3 (33% more)`, of the sprints that have such a figure. */
function averageLine(
  own: number | null,
  before: readonly (number | null)[],
  { words, sense, sprint }: FigureWords & { readonly sprint: SprintFigures },
): readonly string[] {
  const known = before.filter((value) => value !== null);
  if (known.length === 0) return [];
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const change = changeText(own, mean, words, sense);
  return [`${averageTitle(known.length, sprint)} ${words(mean)}${change === null ? '' : `: ${change}`}`];
}

function averageTitle(count: number, sprint: SprintFigures): string {
  return `${count === 1 ? 'Previous sprint' : `${count}-sprint average`}${sameDay(sprint)}`;
}

/** Time in status, started work first, in workflow order; and what the figures mean. */
function sprintDetails(report: SprintReport): Message[] {
  const { sprint: own, previousSprints: before, statuses, provenance } = report;
  const dayMs = dayMsOf(provenance.calendar);
  const spent = (duration: number | null) => timeText(duration, dayMs);
  const { running: isRunning } = own;
  const average = before.length === 0 ? [] : [averageTitle(before.length, own)];
  const table = figureTable(
    [
      ...columnsOf('text', 'Status'),
      ...columnsOf('figure', isRunning ? 'In the sprint so far' : 'In the sprint', ...average),
    ],
    statuses
      .filter(({ kind }) => kind !== 'queue')
      .map(({ name, withinMs, previousMs }) => {
        const times = before.length === 0 ? [withinMs] : [withinMs, previousMs];
        return [name, ...times.map(spent)].map((text) => ({ text }));
      }),
  );
  const waiting = statuses.filter(({ kind, withinMs }) => kind === 'queue' && withinMs !== null);
  const named = waiting
    .slice(0, NOT_STARTED)
    .map(({ name, withinMs }) => `${escapeMrkdwn(shorten(name, NAME_LENGTH))} ${spent(withinMs)}`);
  const more = waiting.length > NOT_STARTED ? ` and ${waiting.length - NOT_STARTED} more` : '';
  const notStarted = waiting.length === 0 ? [] : [`Not started: ${named.join(', ')}${more}`];
  const title = `Time in status in ${escapeMrkdwn(shorten(own.name, NAME_LENGTH))}`;
  if (table === null && notStarted.length === 0) return [];
  return [
    {
      text: [title, ...(table === null ? [] : [escapeMrkdwn(table.text)]), ...notStarted].join('. '),
      blocks: [
        section(`*${title}*`),
        ...(table === null ? [] : [table.block]),
        ...notStarted.map(context),
        context(
          `Total of all issues of the sprint, from its start ${isRunning ? 'until now; sprints before it up to the same time after their start' : 'to its end'}. Added: joined after the start. Cycle time: from the first status of category In Progress until done.`,
        ),
      ],
    },
  ];
}

/** Throughput and what was not done by sprint, the oldest first, where both are known; null where there is nothing to compare. */
function sprintChart({ sprint: own, previousSprints: before }: SprintReport): Chart | null {
  const known = [own, ...before]
    .toReversed()
    .flatMap(({ name, finished, carriedOver }) =>
      finished === null || carriedOver === null ? [] : [{ name, finished, carriedOver }],
    );
  if (known.length < 2 || known.every(({ finished, carriedOver }) => finished + carriedOver === 0))
    return null;
  const labels = chartLabels(known.map(({ name }) => name));
  const words = known.map(
    ({ finished, carriedOver }, i) => `${labels[i]} ${finished} finished and ${carriedOver} not`,
  );
  return {
    kind: 'bar',
    title: `Issues by sprint${sameDay(own)}`,
    unit: 'issues',
    categories: labels,
    series: [
      { name: 'Finished', values: known.map(({ finished }) => finished) },
      { name: 'Not done', values: known.map(({ carriedOver }) => carriedOver) },
    ],
    alt: `Issues by sprint${sameDay(own)}: ${words.join(', ')}.`,
  };
}

/** The project beside `last`, as in `last WEB`; null for any other word. */
async function takeLast(
  words: readonly Word[],
  { knownBeside, isProject }: ParserContext,
): Promise<readonly Word[] | null> {
  const at = words.findIndex(({ plain }) => oneOf(['last', 'previous'], plain) !== undefined);
  const left = words.toSpliced(at, 1);
  if (at < 0 || left.length > 1 || (await knownBeside('sprint', plainText(words))) === null) return null;
  return left.length === 0 || (await isProject(plainText(left))) ? left : null;
}

/** A sprint with that name is preferred. */
async function isOnlyProject(name: string, { isProject, knownBeside }: ParserContext): Promise<boolean> {
  return (await isProject(name)) && (await knownBeside('sprint', name)) !== null;
}

/** Which one it is of several sprints of one name; null where there are no others. */
async function ofSeveral(name: string, { sprintNames }: ParserContext): Promise<string | null> {
  const count = (await sprintNames()).filter((one) => foldedName(one) === foldedName(name)).length;
  return count < 2 ? null : `${count} sprints are called ${codeText(name)}; this is the one that began last.`;
}
