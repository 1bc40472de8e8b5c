import { z } from 'zod';
import { compared, durationStatistics, unknownMembers } from '../../api/answers/document.ts';
import { type WeeklyAggregates, weeklyMembers } from '../../api/answers/weekly/weekly-answer.ts';
import type { DurationFigures, LeftOut } from '../../model/answer.ts';
import { mapCompared } from '../../model/answer.ts';
import { durationText, type ViewFormat } from '../../output/readable-text.ts';
import { NEVER } from '../../output/table-records.ts';

/** The wording of durations; `dayMs` is the length of a day. */
interface DurationFrame {
  readonly viewFormat: ViewFormat;
  readonly dayMs: number;
}

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
export const olderWeeklyMembers = {
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

/** The figures of a week with the members of version 0.8. */
export function withOlderMembers(weekly: WeeklyAggregates, frame: DurationFrame) {
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
  if (ms === null) return { value: NEVER };
  const raw = Math.round(Math.abs(ms));
  const sign = ms < 0 && raw > 0 ? '-' : '';
  return { value: `${sign}${durationText(raw, viewFormat, dayMs)}`, raw: `${sign}${raw}` };
}
