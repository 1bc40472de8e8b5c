import { z } from 'zod';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import type { AgingIssue, Compared, DurationFigures, Part } from '../../model/answer.ts';
import { about, badRequest } from '../../model/error.ts';
import type { MeasuredQuestion, Side } from '../../model/question.ts';
import type { Provenance } from '../../model/table.ts';
import { selectionText, withNotes } from '../../output/provenance-sheet.ts';
import { flag, oneOf, text } from '../../parameters/parameter.ts';
import { readDateRange } from '../../parameters/selection.ts';
import { readWeek, weekParameters } from '../../parameters/week.ts';
import { readWindow } from '../../parameters/window.ts';
import { agingKind } from '../../questions/aging/aging-kind.ts';
import type { AgingQuestion } from '../../questions/aging/aging-view.ts';
import { compareKind } from '../../questions/compare/compare-kind.ts';
import type { CompareQuestion } from '../../questions/compare/compare-sides.ts';
import type { QuestionKind } from '../../questions/kind.ts';
import { sprintKind } from '../../questions/sprint/sprint-kind.ts';
import type { SprintFigures, SprintQuestion } from '../../questions/sprint/sprint-report.ts';
import type { WeeklyQuestion } from '../../questions/weekly/nine-weeks.ts';
import { weeklyKind } from '../../questions/weekly/weekly-kind.ts';
import { isoText } from '../../time/date-text.ts';
import {
  durationOf,
  durationOrNull,
  factLines,
  facts,
  factsOf,
  leftOutLines,
  leftOutOf,
  statistics,
  statisticsOf,
  unknownLines,
  unknowns,
  unknownsOf,
  type Wording,
  wordingOf,
  zonedText,
} from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import {
  dateParameters,
  filterParameters,
  listPart,
  measureParameters,
  readFilter,
  readFilterIfAny,
} from '../inputs.ts';
import { shortSummary } from '../issue-facts.ts';
import { withinField } from '../read-arguments.ts';
import { defineTool, type ToolContext } from '../tool.ts';

type AskedMeasure = z.output<z.ZodObject<typeof measureParameters>> & {
  readonly timeZone?: string | undefined;
};

/** Answers a question of a kind, the same as in Slack and over REST, and says how its figures are worded. */
async function askFigures<Asked extends MeasuredQuestion, Value>(
  kind: QuestionKind<Asked, Value>,
  questionOf: (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>) => Asked,
  asked: AskedMeasure,
  { answers, principal, reporting, settings, now }: ToolContext,
  part?: Part,
): Promise<{ readonly value: Value; readonly wording: Wording }> {
  const unchecked = await checkDayLength(asked, principal, settings);
  const timeZone = asked.timeZone ?? (await reporting.timeZoneOf(principal));
  const { asOf } = readWindow({ asOf: asked.asOf }, { now: now(), timeZone });
  const question = questionOf({ calendar: asked.calendar, timeZone });
  const { value: answered } = await answers.ask(kind, principal, question, asOf, part);
  const found: Provenance[] = [];
  const value = kind.withProvenance(answered, (one) => {
    const provenance = withNotes(one, unchecked);
    found.push(provenance);
    return provenance;
  });
  const [first] = found;
  if (first === undefined) throw new Error('Figures have a provenance.');
  return { value, wording: wordingOf(first, asked) };
}

const status = z.object({ id: z.string(), name: z.string(), category: z.string() });

/** How long an open issue has been in its status. */
const agingIssue = z.object({
  key: z.string(),
  summary: z.string(),
  link: z.string().nullable(),
  status,
  assignee: z.string().nullable(),
  since: z.iso.datetime(),
  age: durationOrNull.meta({ description: 'How long it has been in its status.' }),
  usual: durationOrNull.meta({
    description: 'The 85th percentile of the last 90 days there; null: fewer than five stays to go by.',
  }),
  pace: z.number().nullable().meta({ description: 'Age divided by usual: above 1 is longer than usual.' }),
  historyComplete: z.boolean(),
});

function agingIssueOf(one: AgingIssue, wording: Wording): z.output<typeof agingIssue> {
  const { key, summary, link, pace, historyComplete } = one;
  return {
    ...{ key, summary, link, pace, historyComplete },
    status: { id: one.status.id, name: one.status.title, category: one.status.category },
    assignee: one.assignee?.name ?? null,
    since: isoText(one.since),
    age: durationOf(one.ageMs, wording),
    usual: durationOf(one.baseline?.p85 ?? null, wording),
  };
}

function agingTable(issues: readonly z.output<typeof agingIssue>[], wording: Wording, title?: string) {
  return {
    ...(title === undefined ? {} : { title }),
    columns: ['Issue', 'Summary', 'Status', 'Assignee', 'In status', 'Since', 'Usual (p85)', 'Times usual'],
    rows: issues.map((one) => [
      ...[one.key, shortSummary(one.summary), one.status.name, one.assignee ?? 'unassigned'],
      ...[one.age?.text ?? null, zonedText(Date.parse(one.since), wording), one.usual?.text ?? 'unknown'],
      one.pace === null ? 'unknown' : one.pace.toFixed(1),
    ]),
  };
}

const compared = <Figure extends z.ZodType>(week: Figure) =>
  z.object({ week, weekBefore: week, eightWeeks: week });

function comparedOf<Figure, Content>(
  { week, weekBefore, eightWeeks }: Compared<Figure>,
  of: (figure: Figure) => Content,
) {
  return { week: of(week), weekBefore: of(weekBefore), eightWeeks: of(eightWeeks) };
}

const countOrNull = z.number().nullable();
const share = z.object({ week: countOrNull, weekBefore: countOrNull });
const percent = (part: number | null) => (part === null ? 'unknown' : `${Math.round(part * 100)}%`);
const countText = (count: number | null) => (count === null ? 'unknown' : String(Number(count.toFixed(2))));

const weeklySummary = defineTool({
  name: 'weekly_summary',
  title: 'Weekly summary',
  description:
    'How an ISO week went for the issues of a filter: issues finished, cycle time, work in progress and time in status, compared with the previous week and the eight weeks before; and what needs attention now.',
  takesLong: true,
  parameters: z.object({ ...filterParameters, ...weekParameters, ...measureParameters }),
  output: z.object({
    ...facts.shape,
    week: z.object({
      id: z.string(),
      start: z.iso.datetime(),
      end: z.iso.datetime(),
      whole: z.boolean().meta({ description: 'False while the week runs: not comparable to whole weeks.' }),
    }),
    finished: compared(countOrNull).meta({ description: 'Of the eight weeks, the mean per week.' }),
    finishedUnknown: z.string().nullable().meta({ description: 'Why a number of them is null.' }),
    cycleTime: compared(statistics).meta({
      description: 'From the first status of category In Progress until done, of the issues finished.',
    }),
    inProgress: share.meta({ description: 'Issues in progress at the end of the week.' }),
    flowEfficiency: share.meta({ description: 'Active time divided by active and waiting time.' }),
    statuses: z.array(
      status.extend({
        finished: compared(statistics).meta({ description: 'Whole time there of issues finished.' }),
        within: compared(durationOrNull).meta({ description: 'Time all issues spent there in the week.' }),
      }),
    ),
    contributors: z.array(
      z.object({ key: z.string(), summary: z.string(), cycleTime: durationOrNull, shift: durationOrNull }),
    ),
    against: z.enum(['weekBefore', 'eightWeeks']).nullable().meta({
      description: 'Which average cycle time the shift of each contributor is measured against.',
    }),
    attention: z.array(agingIssue).meta({ description: 'Started issues furthest beyond what is usual.' }),
    withoutCycleTime: unknowns.shape.unclear.meta({ description: 'Finished, without a cycle time.' }),
    ...unknowns.shape,
  }),
  async answer(asked, context) {
    const selection = readFilter(asked);
    const { value, wording } = await askFigures(
      weeklyKind,
      (measured): WeeklyQuestion => ({
        ...{ kind: 'weekly', selection, ...measured },
        week: readWeek(asked, measured.timeZone),
      }),
      asked,
      context,
    );
    const { provenance, week, doubts } = value;
    const of = (figures: DurationFigures) => statisticsOf(figures, wording);
    const statuses = value.statuses.map(({ id, title, category, finished, within }) => ({
      ...{ id, name: title, category, finished: comparedOf(finished, of) },
      within: comparedOf(within, (ms) => durationOf(ms, wording)),
    }));
    const attention = value.attention.map((one) => agingIssueOf(one, wording));
    const cycleTime = comparedOf(value.cycleTime, of);
    const contributors = value.contributors.map(({ key, summary, cycleMs, shiftMs }) => ({
      ...{ key, summary, cycleTime: durationOf(cycleMs, wording), shift: durationOf(shiftMs, wording) },
    }));
    const content = {
      ...factsOf(provenance, wording),
      week: { ...week, start: isoText(week.start), end: isoText(week.end) },
      finished: { ...value.finished },
      finishedUnknown: value.finishedUnknown,
      ...{ cycleTime, statuses, contributors, against: value.against, attention },
      inProgress: { ...value.inProgress },
      flowEfficiency: { ...value.flowEfficiency },
      withoutCycleTime: leftOutOf(value.withoutCycleTime),
      ...unknownsOf(doubts),
    };
    const figures = [cycleTime.week, cycleTime.weekBefore, cycleTime.eightWeeks];
    const { finished, inProgress, flowEfficiency } = value;
    const baseline = value.against === 'eightWeeks' ? 'of the eight weeks before' : 'of the previous week';
    const { text: said } = answerText(
      [
        `Week ${week.id} of ${selectionText(selection)}, ${zonedText(week.start, wording)} to ${zonedText(week.end, wording)}${week.whole ? '.' : ', STILL RUNNING: figures go up to now and are not comparable to whole weeks.'}`,
        ...(value.finishedUnknown === null
          ? []
          : [`Some numbers of finished issues are unknown: ${value.finishedUnknown}`]),
      ],
      [
        {
          columns: ['Figure', `Week ${week.id}`, 'Previous week', 'Eight weeks before'],
          rows: [
            [
              'Issues finished',
              countText(finished.week),
              countText(finished.weekBefore),
              finished.eightWeeks === null ? 'unknown' : `${countText(finished.eightWeeks)} per week`,
            ],
            ['Cycle time, average', ...figures.map(({ average }) => average?.text ?? null)],
            ['Cycle time, median', ...figures.map(({ median }) => median?.text ?? null)],
            ['Cycle time, p85', ...figures.map(({ p85 }) => p85?.text ?? null)],
            ['In progress at the end', countText(inProgress.week), countText(inProgress.weekBefore), ''],
            ['Flow efficiency', percent(flowEfficiency.week), percent(flowEfficiency.weekBefore), ''],
          ],
        },
        {
          title: 'Time in status',
          columns: [
            ...['Status', 'Category', `All issues, in ${week.id}`, 'All issues, previous week'],
            ...[`Issues finished in ${week.id}: average`, 'median', 'p85'],
          ],
          rows: statuses.map((one) => [
            ...[one.name, one.category, one.within.week?.text ?? null, one.within.weekBefore?.text ?? null],
            ...[one.finished.week.average, one.finished.week.median, one.finished.week.p85].map(
              (figure) => figure?.text ?? null,
            ),
          ]),
        },
        {
          title: `Biggest contributors to the change of the average cycle time, against that ${baseline}`,
          columns: ['Issue', 'Summary', 'Cycle time', 'Moved the average by'],
          rows: contributors.map((one) => [
            ...[one.key, shortSummary(one.summary), one.cycleTime?.text ?? null, one.shift?.text ?? null],
          ]),
        },
        agingTable(attention, wording, 'Needs attention now (in their status longer than usual)'),
      ],
      [
        ...leftOutLines('finished, but without a cycle time', value.withoutCycleTime),
        ...unknownLines(doubts),
        ...factLines(provenance, wording),
      ],
    );
    return { content, text: said };
  },
});

const sprintFigures = z.object({
  id: z.string(),
  name: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime().meta({ description: 'When it was closed; asOf while it runs.' }),
  running: z.boolean(),
  finished: countOrNull,
  carriedOver: countOrNull.meta({ description: 'Not done at its end; of a running one, not yet.' }),
  added: countOrNull.meta({ description: 'Joined after its start.' }),
  cycleTime: statistics,
});

function sprintFiguresOf(sprint: SprintFigures, wording: Wording): z.output<typeof sprintFigures> {
  const { span, finished, carriedOver, added, cycleTime } = sprint;
  return {
    ...{ id: span.id, name: span.name, running: span.isRunning, finished, carriedOver, added },
    start: isoText(span.start),
    end: isoText(span.end),
    cycleTime: statisticsOf(cycleTime, wording),
  };
}

const sprintReport = defineTool({
  name: 'sprint_report',
  title: 'Sprint report',
  description:
    'A sprint compared with up to five sprints before it on its board: issues finished, carried over and added, cycle time and time in status. Without a sprint, the last one that began; with project or jql, the last one with issues of that filter.',
  takesLong: true,
  parameters: z.object({
    sprint: text.optional().meta({ description: 'Id or name of the sprint; without it the latest.' }),
    project: filterParameters.project,
    jql: filterParameters.jql,
    ...measureParameters,
  }),
  output: z.object({
    ...facts.shape,
    sprint: sprintFigures,
    previousSprints: z.array(sprintFigures).meta({ description: 'The newest first.' }),
    statuses: z.array(
      status.extend({
        within: durationOrNull.meta({ description: 'Time its issues spent there within the sprint.' }),
        previous: durationOrNull.meta({ description: 'Mean of the previous sprints.' }),
      }),
    ),
    ...unknowns.shape,
  }),
  async answer({ sprint: named, project, jql, ...asked }, context) {
    const selection = readFilterIfAny({ project, jql });
    if (named !== undefined && selection !== null) {
      throw badRequest(about('sprint', 'cannot be used with project or jql. Try: one of them.'));
    }
    const { value, wording } = await askFigures(
      sprintKind,
      (measured): SprintQuestion => ({ kind: 'sprint', sprint: named ?? null, selection, ...measured }),
      asked,
      context,
    );
    const { provenance, doubts } = value;
    const sprint = sprintFiguresOf(value.own, wording);
    const previousSprints = value.before.map((one) => sprintFiguresOf(one, wording));
    const statuses = value.statuses.map(({ id, title, category, within, before }) => ({
      ...{ id, name: title, category, within: durationOf(within === 0 ? null : within, wording) },
      previous: durationOf(before === 0 ? null : before, wording),
    }));
    const content = {
      ...{ ...factsOf(provenance, wording), sprint, previousSprints, statuses },
      ...unknownsOf(doubts),
    };
    const { text: said } = answerText(
      [
        `Sprint ${sprint.name} (id ${sprint.id}), ${zonedText(value.own.span.start, wording)} to ${zonedText(value.own.span.end, wording)}${sprint.running ? ', STILL RUNNING: figures go up to now and are not comparable to whole sprints.' : ', closed.'}`,
      ],
      [
        {
          columns: [
            ...['Sprint', 'Issues finished', 'Carried over', 'Added after the start'],
            ...['Cycle time: median', 'p85', 'average'],
          ],
          rows: [sprint, ...previousSprints].map((one) => [
            `${one.name}${one.running ? ' (running)' : ''}`,
            ...[one.finished, one.carriedOver, one.added].map(countText),
            ...[one.cycleTime.median, one.cycleTime.p85, one.cycleTime.average].map(
              (figure) => figure?.text ?? null,
            ),
          ]),
        },
        {
          title: 'Time of all its issues in each status within the sprint',
          columns: ['Status', 'Category', 'This sprint', 'Mean of the previous sprints'],
          rows: statuses.map(({ name, category, within, previous }) => [
            ...[name, category, within?.text ?? null, previous?.text ?? null],
          ]),
        },
      ],
      [...unknownLines(doubts), ...factLines(provenance, wording)],
    );
    return { content, text: said };
  },
});

const agingIssues = defineTool({
  name: 'aging_issues',
  title: 'Issues that stay longer than usual',
  description:
    'Started issues of a filter by how far they are beyond what is usual in their status (the 85th percentile of the last 90 days), then by age.',
  takesLong: true,
  parameters: z.object({
    ...filterParameters,
    withBacklog: flag.default(false).meta({ description: 'Also open issues that are not started.' }),
    ...measureParameters,
    ...listPart,
  }),
  output: z.object({
    ...facts.shape,
    issues: z.array(agingIssue),
    total: z.int(),
    beyondUsual: z.int().meta({ description: 'How many of all are beyond the 85th percentile.' }),
    withUsual: z.int().meta({ description: 'Of how many of all it is known what is usual.' }),
    notStarted: z.object({ count: z.int(), oldest: durationOrNull }).meta({
      description: 'Open issues that are not started; without withBacklog they are only counted.',
    }),
    sinceUnknown: z.array(z.string()).meta({ description: 'Left out: since when is unknown. First few.' }),
    unclear: unknowns.shape.unclear,
    statusesWithoutCategory: z.array(z.string()),
    nextStartIndex: z.int().nullable().meta({ description: 'Ask with it as startIndex; null: the end.' }),
  }),
  async answer({ withBacklog, startIndex: start, pageSize: size, ...asked }, context) {
    const selection = readFilter(asked);
    const question = (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>): AgingQuestion => ({
      ...{ kind: 'aging', selection, ...measured, ...(withBacklog ? { backlog: true } : {}) },
    });
    const { value, wording } = await askFigures(agingKind, question, asked, context, { start, size });
    const { provenance, count, beyond, withBaseline, notStarted, unknown, doubts } = value;
    const issues = value.issues.slice(start, start + size).map((one) => agingIssueOf(one, wording));
    const end = start + issues.length;
    const content = {
      ...factsOf(provenance, wording),
      ...{ issues, total: count, beyondUsual: beyond, withUsual: withBaseline },
      notStarted: { count: notStarted.count, oldest: durationOf(notStarted.oldestMs, wording) },
      sinceUnknown: unknown.slice(0, 20),
      unclear: leftOutOf(doubts.unclear),
      statusesWithoutCategory: [...doubts.withoutCategory],
      nextStartIndex: issues.length > 0 && end < count ? end : null,
    };
    const { text: said } = answerText(
      [
        `${count} ${withBacklog ? 'open' : 'started'} issues of ${selectionText(selection)}; ${beyond} of the ${withBaseline} with a known usual time have been in their status longer than usual.`,
        `Shown: ${issues.length === 0 ? 'none' : `${start + 1} to ${end}`}.${content.nextStartIndex === null ? '' : ` More: call again with startIndex ${end}.`}`,
        ...(withBacklog
          ? []
          : [`Not started and so not in the list: ${notStarted.count} issues (withBacklog shows them).`]),
      ],
      [agingTable(issues, wording)],
      [
        'Usual is p85 of the last 90 days: 85% of the stays in that status of the project took no longer; unknown with fewer than five stays.',
        ...leftOutLines(
          'since when they are in their status is unknown',
          unknown.map((key) => ({ key, reason: 'history not complete' })),
        ),
        ...unknownLines({ ...doubts, sinceUnknown: [] }),
        ...factLines(provenance, wording),
      ],
    );
    return { content, text: said };
  },
});

const sideParameters = z.object({
  ...filterParameters,
  startDate: dateParameters.startDate,
  endDate: dateParameters.endDate,
  dateRangeField: oneOf(['created', 'resolved', 'updated'])
    .default('resolved')
    .meta({ description: 'The date that startDate and endDate are about.' }),
});

const side = z.object({
  title: z.string(),
  issues: z.int(),
  finished: z.int(),
  cycleTime: statistics,
  complete: z.boolean(),
  query: z.string().nullable(),
  ...unknowns.shape,
});

function sideOf(asked: z.output<typeof sideParameters>, timeZone: string): Side {
  const selection = readFilter(asked);
  const range = readDateRange(asked, timeZone);
  const { field, from, to } = range ?? {};
  const dates =
    range === null ? '' : `, ${field} ${[asked.startDate ?? '…', asked.endDate ?? '…'].join(' to ')}`;
  const named = selection.by === 'jql' ? selection.jql : selectionText(selection);
  return {
    title: `${named}${dates}`,
    selection,
    range: field === undefined ? null : { field, when: { by: 'dates', from: from ?? null, to: to ?? null } },
  };
}

const compare = defineTool({
  name: 'compare',
  title: 'Compare two sets of issues',
  description:
    'Two projects, filters or times side by side: issues, issues finished, cycle time and time in each status. Each side has its own filter and dates.',
  takesLong: true,
  parameters: z.object({
    left: sideParameters.meta({ description: 'The first side.' }),
    right: sideParameters.meta({ description: 'The second side; its filter or its dates must differ.' }),
    ...measureParameters,
  }),
  output: z.object({
    ...facts.shape,
    left: side,
    right: side,
    statuses: z.array(status.extend({ left: statistics, right: statistics })).meta({
      description: 'Time in each status that is not of category Done, of the issues that were there.',
    }),
  }),
  async answer({ left, right, ...asked }, context) {
    const { value, wording } = await askFigures(
      compareKind,
      ({ calendar, timeZone }): CompareQuestion => {
        const sides = [
          withinField('left', () => sideOf(left, timeZone)),
          withinField('right', () => sideOf(right, timeZone)),
        ] as const;
        if (sides[0].title.toLowerCase() === sides[1].title.toLowerCase()) {
          throw badRequest(about('right', 'is the same as left. Try: another filter or other dates.'));
        }
        return { kind: 'compare', sides, calendar, timeZone };
      },
      asked,
      context,
    );
    const sides = ([0, 1] as const).map((i) => ({
      ...{ title: value.titles[i], issues: value.issues[i], finished: value.finished[i] },
      cycleTime: statisticsOf(value.cycleTime[i], wording),
      ...{ complete: value.provenance[i].complete, query: value.provenance[i].query },
      ...unknownsOf(value.doubts[i]),
    }));
    const [one, other] = sides;
    if (one === undefined || other === undefined) throw new Error('There are two sides.');
    const both = bothOf(value.provenance);
    const statuses = value.statuses.map(({ id, title, category, sides: [first, second] }) => ({
      ...{ id, name: title, category },
      ...{ left: statisticsOf(first, wording), right: statisticsOf(second, wording) },
    }));
    const content = { ...factsOf(both, wording), left: one, right: other, statuses };
    const pair = (figure: (side: z.output<typeof statistics>) => string | null) => [
      figure(one.cycleTime),
      figure(other.cycleTime),
    ];
    const { text: said } = answerText(
      [`Left: ${one.title}`, `Right: ${other.title}`],
      [
        {
          columns: ['Figure', 'Left', 'Right'],
          rows: [
            ['Issues', one.issues, other.issues],
            ['Finished', one.finished, other.finished],
            ['Cycle time, median', ...pair(({ median }) => median?.text ?? null)],
            ['Cycle time, p85', ...pair(({ p85 }) => p85?.text ?? null)],
            ['Cycle time, average', ...pair(({ average }) => average?.text ?? null)],
            ['Cycle times counted', ...pair(({ count }) => String(count))],
          ],
        },
        {
          title: 'Time in status, average and median of the issues that were there',
          columns: ['Status', 'Left: average', 'Left: median', 'Right: average', 'Right: median'],
          rows: statuses.map((row) => [
            row.name,
            ...[row.left.average, row.left.median, row.right.average, row.right.median].map(
              (figure) => figure?.text ?? null,
            ),
          ]),
        },
      ],
      [
        ...value.doubts.flatMap((doubts, i) =>
          unknownLines(doubts).map((line) => `${i === 0 ? 'Left' : 'Right'}: ${line}`),
        ),
        ...value.provenance.map(
          ({ complete, query }, i) =>
            `${i === 0 ? 'Left' : 'Right'}: histories ${complete ? 'complete' : 'NOT complete'}; JQL: ${query ?? 'none'}`,
        ),
        ...factLines({ ...both, query: null }, wording),
      ],
    );
    return { content, text: said };
  },
});

/** What is to be known of both sides together. */
function bothOf([one, other]: readonly [Provenance, Provenance]): Provenance {
  return withNotes(
    {
      ...one,
      query: null,
      complete: one.complete && other.complete,
      issues: one.issues + other.issues,
      cutHistories: one.cutHistories + other.cutHistories,
      undecided: one.undecided + other.undecided,
      // Of whatever question, so the same on both sides.
      unasked: Math.max(one.unasked ?? 0, other.unasked ?? 0),
    },
    other.notes ?? [],
  );
}

/** The tools that answer a question of a kind, as Slack does. */
export const questionTools = [weeklySummary, sprintReport, agingIssues, compare];
