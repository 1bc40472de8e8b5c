import { z } from 'zod';
import { factMembers } from '../../api/answers/document.ts';
import type { SprintQuestion } from '../../api/answers/sprint/find-sprint.ts';
import { sprintSchema } from '../../api/answers/sprint/sprint-answer.ts';
import { sprintKind } from '../../api/answers/sprint/sprint-kind.ts';
import type { WeeklyQuestion } from '../../api/answers/weekly/nine-weeks.ts';
import { type WeeklyAggregates, weeklyMembers } from '../../api/answers/weekly/weekly-answer.ts';
import { weeklyKind } from '../../api/answers/weekly/weekly-kind.ts';
import { readWeek, weekParameters } from '../../api/parameters/dates.ts';
import { text } from '../../api/parameters/parameter.ts';
import { about, badRequest } from '../../model/error.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { percentText } from '../../output/shares.ts';
import {
  answerText,
  durationWord,
  factLines,
  leftOutLines,
  more,
  unknownLines,
  zonedText,
} from '../answer-facts.ts';
import { askFigures, countText, openIssueTable } from '../ask-figures.ts';
import { filterParameters, measureParameters, readFilterIfAny, readIssueFilter } from '../inputs.ts';
import { shortSummary } from '../issue-facts.ts';
import { defineTool } from '../tool.ts';

type BlockedWork = NonNullable<WeeklyAggregates['blocked']>['week'];

const percent = (part: number | null) => (part === null ? 'unknown' : percentText(part));

/** The issues finished within their target, and where it comes from. */
function targetRow(target: WeeklyAggregates['target'], word: (ms: number | null) => string | null) {
  if (target === null) return [];
  const { source, percent: share, withinMs, weekBefore } = target;
  const named = {
    set: `the target (${share}% in ${word(withinMs)}, set)`,
    learned: `${word(withinMs)} (learned: p${share} of 90 days)`,
    mixed: 'the targets of their types',
  }[source];
  const counts = [target, weekBefore].map((one) => `${one.finishedWithin} of ${one.finished}`);
  return [[`Finished within ${named}`, ...counts, '']];
}

const weeklyOutput = z.object({ ...factMembers, ...weeklyMembers, more });

/** The figures of a week, compared with the weeks before. */
export const weeklySummary = defineTool({
  name: 'weekly_summary',
  title: 'Weekly summary',
  description:
    'How an ISO week went for the issues of a filter: issues finished, cycle time, work in progress and time in status, compared with the previous week and the eight weeks before; and what needs attention now.',
  takesLong: true,
  parameters: z.object({ ...filterParameters, ...weekParameters, ...measureParameters }),
  output: weeklyOutput,
  async answer(input, context) {
    const selection = readIssueFilter(input);
    const { value, body, wording } = await askFigures(
      weeklyKind,
      (measured): WeeklyQuestion => ({
        kind: 'weekly',
        selection,
        ...measured,
        week: readWeek(input.week, measured.timeZone),
      }),
      input,
      context,
    );
    const { provenance, week, cycleTime } = value;
    const word = (ms: number | null) => durationWord(ms, wording);
    const blockedWord = ({ blockedMs, issues }: BlockedWork) =>
      `${word(blockedMs)} (${countText(issues)} issues)`;
    const figures = [cycleTime.week, cycleTime.weekBefore, cycleTime.eightWeeks];
    const { finished, inProgress, flowEfficiency, blocked } = value;
    const baseline = value.against === 'eightWeeks' ? 'of the eight weeks before' : 'of the previous week';
    const { text } = answerText(
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
            ['Cycle time, average', ...figures.map(({ averageMs }) => word(averageMs))],
            ['Cycle time, median', ...figures.map(({ medianMs }) => word(medianMs))],
            ['Cycle time, p85', ...figures.map(({ p85Ms }) => word(p85Ms))],
            ['In progress at the end', countText(inProgress.week), countText(inProgress.weekBefore), ''],
            ...targetRow(value.target, word),
            ['Flow efficiency', percent(flowEfficiency.week), percent(flowEfficiency.weekBefore), ''],
            ...(blocked === null
              ? []
              : [
                  ['Blocked, started issues', blockedWord(blocked.week), blockedWord(blocked.weekBefore), ''],
                ]),
          ],
        },
        {
          title: 'Time in status',
          columns: [
            ...['Status', 'Category', `All issues, in ${week.id}`, 'All issues, previous week'],
            ...[`Issues finished in ${week.id}: average`, 'median', 'p85'],
          ],
          rows: value.statuses.map((one) => [
            ...[one.name, one.category, word(one.withinMs.week), word(one.withinMs.weekBefore)],
            ...[one.finished.week.averageMs, one.finished.week.medianMs, one.finished.week.p85Ms].map(word),
          ]),
        },
        {
          title: `Biggest contributors to the change of the average cycle time, against that ${baseline}`,
          columns: ['Issue', 'Summary', 'Cycle time', 'Moved the average by'],
          rows: value.contributors.map((one) => [
            ...[one.key, shortSummary(one.summary), word(one.cycleMs), word(one.shiftMs)],
          ]),
        },
        openIssueTable(value.attention, wording, 'Needs attention now (in their status longer than usual)'),
      ],
      [
        ...leftOutLines('finished, but without a cycle time', value.withoutCycleTime),
        ...unknownLines(value),
        ...factLines(provenance, wording),
      ],
    );
    return { content: weeklyOutput.parse(body), text };
  },
});

const sprintOutput = z.object({ ...factMembers, ...sprintSchema.shape, more });

/** The figures of a sprint, compared with the sprints before. */
export const sprintTool = defineTool({
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
  output: sprintOutput,
  async answer({ sprint: named, project, jql, ...input }, context) {
    const selection = readFilterIfAny({ project, jql });
    if (named !== undefined && selection !== null) {
      throw badRequest(about('sprint', 'cannot be used with project or jql. Try: one of them.'));
    }
    const { value, body, wording } = await askFigures(
      sprintKind,
      (measured): SprintQuestion => ({ kind: 'sprint', sprint: named ?? null, selection, ...measured }),
      input,
      context,
    );
    const { provenance, sprint, previousSprints, statuses } = value;
    const word = (ms: number | null) => durationWord(ms, wording);
    const { text } = answerText(
      [
        `Sprint ${sprint.name} (id ${sprint.id}), ${zonedText(sprint.start, wording)} to ${zonedText(sprint.end, wording)}${sprint.running ? ', STILL RUNNING: figures go up to now and are not comparable to whole sprints.' : ', closed.'}`,
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
            ...[one.cycleTime.medianMs, one.cycleTime.p85Ms, one.cycleTime.averageMs].map(word),
          ]),
        },
        {
          title: 'Time of all its issues in each status within the sprint',
          columns: ['Status', 'Category', 'This sprint', 'Mean of the previous sprints'],
          rows: statuses.map(({ name, category, withinMs, previousMs }) => [
            ...[name, category, word(withinMs), word(previousMs)],
          ]),
        },
      ],
      [...unknownLines(value), ...factLines(provenance, wording)],
    );
    return { content: sprintOutput.parse(body), text };
  },
});
