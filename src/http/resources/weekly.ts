import { z } from 'zod';
import type { WeeklyQuestion } from '../../api/answers/weekly/nine-weeks.ts';
import { weeklyKind } from '../../api/answers/weekly/weekly-kind.ts';
import { oneOf } from '../../api/parameters/parameter.ts';
import { readSelection, selectionParameters } from '../../api/parameters/selection.ts';
import { readWeek, weekParameters } from '../../api/parameters/week.ts';
import type { Compared, Week, WeeklyAggregates } from '../../model/answer.ts';
import { weeklyCsv } from '../../output/files/weekly-csv.ts';
import { defineRoute } from '../define-route.ts';
import { csvType, trustHeaders } from '../report/answer.ts';
import {
  answerFigures,
  duration,
  durationIn,
  durationStatistics,
  type FigureFrame,
  figureMembers,
  figureParameters,
  figuresFrom,
  leftOut,
  statisticsIn,
  statusMembers,
  statusOf,
  unknownMembers,
  unknownsOf,
} from '../report/figures.ts';
import { isoInstant } from '../wire.ts';

const {
  startDate: _startDate,
  endDate: _endDate,
  dateRangeField: _field,
  ...selection
} = selectionParameters;

const weekMembers = {
  id: z.string().meta({ examples: ['2026-W46'] }),
  start: isoInstant,
  end: isoInstant.describe('The first instant after the week.'),
  whole: z
    .boolean()
    .describe(
      'False while the week runs: its figures go to asOf, and counts and time within it are not comparable to those of whole weeks.',
    ),
};

function compared<Figure extends z.ZodType>(figure: Figure, ofEight: string) {
  return z.object({ week: figure, weekBefore: figure, eightWeeks: figure.meta({ description: ofEight }) });
}

const pooled = compared(durationStatistics, 'All issues finished in the previous eight weeks.');

const reason = z
  .string()
  .optional()
  .describe('Why a number of issues finished is null; absent where none is.');

const contributors = z.array(
  z.object({
    issueKey: z.string(),
    summary: z.string(),
    link: z.string().nullable(),
    cycleTime: duration,
    shift: duration.describe('How much it changed the average; negative: down.'),
  }),
);

const weeklySummary = z
  .object({
    ...figureMembers,
    issueCount: z.int().describe('Issues finished in the nine weeks, or open in them.'),
    week: z.object(weekMembers),
    finished: compared(z.number().nullable(), 'Mean per week.')
      .extend({ reason })
      .describe('Issues finished; null where it is unknown.'),
    cycleTime: pooled.describe(
      'Of the issues finished: from the first entry into a status of category In Progress to the last exit from a status that is not Done.',
    ),
    statuses: z
      .array(
        z.object({
          ...statusMembers,
          finished: pooled.describe('Whole time in the status of the issues finished.'),
          within: compared(duration, 'Mean per week.').describe(
            'Time all issues together spent in the status within the week.',
          ),
        }),
      )
      .describe('Those of category Done are left out.'),
    weeks: z
      .array(
        z.object({
          ...weekMembers,
          finished: z.int().nullable(),
          reason,
          cycleTime: durationStatistics,
          within: z.array(z.object({ id: z.string(), ...duration.shape })),
        }),
      )
      .describe('Nine weeks, the oldest first, the week itself last.'),
    against: z
      .enum(['weekBefore', 'eightWeeks'])
      .nullable()
      .describe('The average cycle time that the contributors are measured against.'),
    contributors: contributors.describe('The five issues that changed the average cycle time most.'),
    movers: contributors.meta({
      description: 'The same as contributors, for clients that read it so.',
      deprecated: true,
    }),
    withoutCycleTime: leftOut.describe('Issues finished in the week that have no cycle time, and why.'),
    ...unknownMembers('week'),
  })
  .meta({ id: 'WeeklyAggregates', description: 'A week vs. previous weeks.' });

/** A week of the issues of a list, compared with previous weeks. */
export const weekly = defineRoute({
  id: 'getWeeklySummary',
  methods: ['get', 'post'],
  paths: ['/rest/issues/weekly'],
  takesLong: true,
  section: 'Reports',
  summary: 'An ISO week: throughput, cycle time and time in status, vs. previous weeks',
  parameters: z.object({
    ...selection,
    ...weekParameters,
    ...figureParameters,
    outputType: oneOf(['json', 'csv'])
      .default('json')
      .meta({
        description:
          'The form of the answer; csv is one figure per line. Without it the header Accept decides.',
        enum: ['json', 'csv', 'JSON', 'CSV'],
      }),
  }),
  answers: {
    description: 'The figures of the week, of the previous week and of the eight previous weeks.',
    content: { 'application/json': weeklySummary, 'text/csv': z.string() },
  },
  async answer(asked, principal, parts) {
    const { value, frame } = await answerFigures(
      weeklyKind,
      ({ calendar, timeZone }): WeeklyQuestion => ({
        kind: 'weekly',
        selection: readSelection(asked),
        week: readWeek(asked.week, timeZone),
        ...{ calendar, timeZone },
      }),
      asked,
      principal,
      parts,
    );
    return asked.outputType === 'json'
      ? { body: summaryOf(value, frame) }
      : { type: csvType, headers: trustHeaders(value.provenance), body: weeklyCsv(value, frame) };
  },
});

function summaryOf({ provenance, ...figures }: WeeklyAggregates, frame: FigureFrame) {
  const [inUnit, statistics] = [durationIn(frame), statisticsIn(frame)];
  const contributors = figures.contributors.map(({ key, summary, link, cycleMs, shiftMs }) => ({
    ...{ issueKey: key, summary, link, cycleTime: inUnit(cycleMs), shift: inUnit(shiftMs) },
  }));
  const because = (why: string | null) => (why === null ? {} : { reason: why });
  return {
    ...figuresFrom(provenance, frame),
    week: weekOf(figures.week),
    finished: { ...figures.finished, ...because(figures.finishedUnknown) },
    cycleTime: each(figures.cycleTime, statistics),
    statuses: figures.statuses.map(({ finished, within, ...status }) => ({
      ...statusOf(status),
      finished: each(finished, statistics),
      within: each(within, inUnit),
    })),
    weeks: figures.weeks.map(({ week, finished, finishedUnknown, cycleTime, within }) => ({
      ...weekOf(week),
      finished,
      ...because(finishedUnknown),
      cycleTime: statistics(cycleTime),
      within: Object.entries(within).map(([id, ms]) => ({ id, ...inUnit(ms) })),
    })),
    against: figures.against,
    contributors,
    movers: contributors,
    withoutCycleTime: figures.withoutCycleTime,
    ...unknownsOf(figures.doubts),
  };
}

function weekOf({ id, start, end, whole }: Week) {
  return { id, start, end, whole };
}

function each<One, Other>(
  { week, weekBefore, eightWeeks }: Compared<One>,
  other: (one: One) => Other,
): Compared<Other> {
  return { week: other(week), weekBefore: other(weekBefore), eightWeeks: other(eightWeeks) };
}
