import { z } from 'zod';
import { compared, durationStatistics, factMembers, unknownMembers } from '../../api/answers/document.ts';
import type { WeeklyQuestion } from '../../api/answers/weekly/nine-weeks.ts';
import { type WeeklyAggregates, weeklyMembers } from '../../api/answers/weekly/weekly-answer.ts';
import { weeklyCsv } from '../../api/answers/weekly/weekly-csv.ts';
import { weeklyKind } from '../../api/answers/weekly/weekly-kind.ts';
import { readWeek, weekParameters } from '../../api/parameters/dates.ts';
import { oneOf } from '../../api/parameters/parameter.ts';
import { reportParameters } from '../../api/parameters/report.ts';
import { issueFilterParameters, readSelection } from '../../api/parameters/selection.ts';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import { type DurationFigures, type LeftOut, mapCompared } from '../../model/answer.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { durationText, viewFormats } from '../../output/readable-text.ts';
import { NEVER_TEXT, type TableWording } from '../../output/table-records.ts';
import { dayLengthMs } from '../../time/calendar.ts';
import { defineRoute } from '../define-route.ts';
import { answerParameters, askKind, csvType, frameMembers, trustHeaders } from '../report/answer.ts';

const { viewFormat, dayLength } = reportParameters;

type DurationFrame = Pick<TableWording, 'viewFormat' | 'dayMs'>;

// The members that a weekly summary had in version 0.8, beside those of today for one more release.

const older = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ deprecated: true });

const duration = z
  .object({
    value: z.string().describe('In the unit of viewFormat; "-" means never.'),
    raw: z.string().optional().describe('Whole working milliseconds; absent for "-".'),
  })
  .meta({
    id: 'WeeklyDuration',
    description: 'A duration as text in the requested unit, and in milliseconds.',
  });

const statistics = durationStatistics
  .extend({
    average: older(duration),
    median: older(duration),
    percentile85: older(duration),
    standardDeviation: older(duration),
  })
  .meta({ id: 'WeeklyStatistics', description: 'Statistics of durations.' });

const statusCategory = older(z.object({ name: z.string() }));
const reason = older(z.string().optional());
const leftOut = z.array(z.object({ key: z.string(), reason: z.string(), issueKey: older(z.string()) }));
const movers = z.array(
  z.object({
    issueKey: z.string(),
    summary: z.string(),
    link: z.string().nullable(),
    cycleTime: duration,
    shift: duration,
  }),
);

const { statuses, weeks, finished, cycleTime, withoutCycleTime } = weeklyMembers;

/** The members of a weekly summary, those of version 0.8 among them. */
const olderWeeklyMembers = {
  ...weeklyMembers,
  finished: finished.extend({ reason }).meta({ description: finished.description }),
  cycleTime: compared(statistics).meta({ description: cycleTime.description }),
  statuses: z
    .array(
      statuses.element.extend({
        statusCategory,
        finished: compared(statistics),
        within: older(compared(duration)),
      }),
    )
    .meta({ description: statuses.description }),
  weeks: z
    .array(
      weeks.element.extend({
        reason,
        cycleTime: statistics,
        within: older(z.array(z.object({ id: z.string(), ...duration.shape }))),
      }),
    )
    .meta({ description: weeks.description }),
  movers: older(movers),
  withoutCycleTime: leftOut.meta({ description: withoutCycleTime.description }),
  doneSinceUnknown: leftOut.meta({ description: unknownMembers.doneSinceUnknown.description }),
  unclear: leftOut.meta({ description: unknownMembers.unclear.description }),
};

const weeklySummary = z
  .object({
    ...frameMembers,
    viewFormat: z.enum(viewFormats).meta({ deprecated: true }),
    ...factMembers,
    ...olderWeeklyMembers,
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
    ...issueFilterParameters,
    ...weekParameters,
    ...answerParameters,
    viewFormat,
    dayLength,
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
  async answer(input, principal, parts) {
    const notes = await checkDayLength(input, principal, parts.settings);
    const question = (measured: Pick<WeeklyQuestion, 'calendar' | 'timeZone'>): WeeklyQuestion => ({
      kind: 'weekly',
      selection: readSelection(input),
      week: readWeek(input.week, measured.timeZone),
      ...measured,
    });
    const { value: found, body } = await askKind(weeklyKind, question, input, principal, parts);
    const value = { ...found, provenance: withNotes(found.provenance, notes) };
    const dayMs = dayLengthMs(value.provenance.calendar, input.dayLength);
    const frame = { viewFormat: input.viewFormat, dayMs };
    return input.outputType === 'json'
      ? {
          body: {
            ...body,
            ...withOlderMembers(value, frame),
            notes: value.provenance.notes ?? [],
            viewFormat: input.viewFormat,
          },
        }
      : { type: csvType, headers: trustHeaders(value.provenance), body: weeklyCsv(value, frame) };
  },
});

function withOlderMembers(weekly: WeeklyAggregates, frame: DurationFrame) {
  const inUnit = (ms: number | null) => textOf(ms, frame);
  const statisticsOf = (figures: DurationFigures) => ({
    ...figures,
    average: inUnit(figures.averageMs),
    median: inUnit(figures.medianMs),
    percentile85: inUnit(figures.p85Ms),
    standardDeviation: inUnit(figures.deviationMs),
  });
  const because = (why: string | null) => (why === null ? {} : { reason: why });
  return {
    ...weekly,
    finished: { ...weekly.finished, ...because(weekly.finishedUnknown) },
    cycleTime: mapCompared(weekly.cycleTime, statisticsOf),
    statuses: weekly.statuses.map((status) => ({
      ...status,
      statusCategory: { name: status.category },
      finished: mapCompared(status.finished, statisticsOf),
      within: mapCompared(status.withinMs, inUnit),
    })),
    weeks: weekly.weeks.map((week) => ({
      ...week,
      ...because(week.finishedUnknown),
      cycleTime: statisticsOf(week.cycleTime),
      within: Object.entries(week.withinMs).map(([id, ms]) => ({ id, ...inUnit(ms) })),
    })),
    movers: weekly.contributors.map(({ key, summary, link, cycleMs, shiftMs }) => ({
      issueKey: key,
      summary,
      link,
      cycleTime: inUnit(cycleMs),
      shift: inUnit(shiftMs),
    })),
    withoutCycleTime: weekly.withoutCycleTime.map(withIssueKey),
    doneSinceUnknown: weekly.doneSinceUnknown.map(withIssueKey),
    unclear: weekly.unclear.map(withIssueKey),
  };
}

function withIssueKey(one: LeftOut) {
  return { ...one, issueKey: one.key };
}

function textOf(ms: number | null, { viewFormat, dayMs }: DurationFrame): z.input<typeof duration> {
  if (ms === null) return { value: NEVER_TEXT };
  const raw = Math.round(Math.abs(ms));
  const sign = ms < 0 && raw > 0 ? '-' : '';
  return { value: `${sign}${durationText(raw, viewFormat, dayMs)}`, raw: `${sign}${raw}` };
}
