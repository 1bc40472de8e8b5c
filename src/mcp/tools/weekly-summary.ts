import { z } from 'zod';
import type { WeeklyQuestion } from '../../api/answers/weekly/nine-weeks.ts';
import { weeklyKind } from '../../api/answers/weekly/weekly-kind.ts';
import { readWeek, weekParameters } from '../../api/parameters/week.ts';
import type { Compared, DurationFigures } from '../../model/answer.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { percentText } from '../../output/shares.ts';
import { isoText } from '../../time/date-text.ts';
import {
  durationOf,
  durationOrNull,
  factLines,
  facts,
  factsOf,
  leftOut,
  leftOutLines,
  leftOutOf,
  statistics,
  statisticsOf,
  unknownLines,
  unknowns,
  unknownsOf,
  zonedText,
} from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import {
  agingIssue,
  agingIssueOf,
  agingTable,
  askFigures,
  countOrNull,
  countText,
  status,
} from '../ask-figures.ts';
import { filterParameters, measureParameters, readFilter } from '../inputs.ts';
import { shortSummary } from '../issue-facts.ts';
import { defineTool } from '../tool.ts';

const compared = <Figure extends z.ZodType>(week: Figure) =>
  z.object({ week, weekBefore: week, eightWeeks: week });

function comparedOf<Figure, Content>(
  { week, weekBefore, eightWeeks }: Compared<Figure>,
  of: (figure: Figure) => Content,
) {
  return { week: of(week), weekBefore: of(weekBefore), eightWeeks: of(eightWeeks) };
}

const times = compared(statistics).meta({ id: 'Times' });
const share = z.object({ week: countOrNull, weekBefore: countOrNull }).meta({ id: 'Share' });
const percent = (part: number | null) => (part === null ? 'unknown' : percentText(part));

/** How a week went, compared with the weeks before. */
export const weeklySummary = defineTool({
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
    cycleTime: times.meta({
      description: 'From the first status of category In Progress until done, of the issues finished.',
    }),
    inProgress: share.meta({ description: 'Issues in progress at the end of the week.' }),
    flowEfficiency: share.meta({ description: 'Active time divided by active and waiting time.' }),
    statuses: z.array(
      status.extend({
        finished: times.meta({ description: 'Whole time there of issues finished.' }),
        within: compared(durationOrNull).meta({ description: 'Time all issues spent there in the week.' }),
      }),
    ),
    contributors: z.array(
      z.object({ key: z.string(), summary: z.string(), cycleTime: durationOrNull, shift: durationOrNull }),
    ),
    against: z.enum(['weekBefore', 'eightWeeks']).nullable().meta({
      description: 'Average cycle time that the shift of each contributor refers to.',
    }),
    attention: z.array(agingIssue).meta({ description: 'Started issues furthest beyond what is usual.' }),
    withoutCycleTime: leftOut.meta({ description: 'Finished, without a cycle time.' }),
    ...unknowns.shape,
  }),
  async answer(asked, context) {
    const selection = readFilter(asked);
    const { value, wording } = await askFigures(
      weeklyKind,
      (measured): WeeklyQuestion => ({
        ...{ kind: 'weekly', selection, ...measured },
        week: readWeek(asked.week, measured.timeZone),
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
