import { z } from 'zod';
import { viewFormats } from '../../output/readable-text.ts';
import { outerSchema } from './report-schema.ts';

const durationMembers = {
  value: z.string().meta({ description: 'In the unit of viewFormat; "-" means "never".' }),
  raw: z.string().optional().meta({ description: 'Whole working milliseconds; absent of "-".' }),
};
/** A duration: as text in the unit asked for, and in milliseconds. */
export const durationSchema = z.object(durationMembers).meta({ id: 'WeeklyDuration' });

/** Figures of some durations. */
export const statisticsSchema = z
  .object({
    count: z.int().meta({ description: 'How many issues the figures are made of.' }),
    average: durationSchema,
    median: durationSchema,
    percentile85: durationSchema,
    standardDeviation: durationSchema.meta({ description: 'Of the population.' }),
  })
  .meta({ id: 'WeeklyStatistics' });

const weekMembers = {
  id: z.string().meta({ examples: ['2026-W46'] }),
  start: z.iso.datetime(),
  end: z.iso.datetime().meta({ description: 'The first instant after the week.' }),
  whole: z.boolean().meta({
    description:
      'False while the week runs: its figures go to asOf, and counts and time within it are not comparable to those of whole weeks.',
  }),
};

function compared<Figure extends z.ZodType>(figure: Figure, ofEight: string) {
  return z.object({
    week: figure,
    weekBefore: figure,
    eightWeeks: figure.meta({ description: ofEight }),
  });
}

const pooled = compared(statisticsSchema, 'Of all issues finished in the eight weeks before.');

const reason = z
  .string()
  .meta({ description: 'Why a number of issues finished is null; absent where none is.' });

/** Issues that a figure leaves out. */
const leftOutSchema = z.array(z.object({ issueKey: z.string(), reason: z.string() }));

/** What could not be counted in a `week` or a `sprint`. */
export const doubtsMembers = (span: string) => ({
  doneSinceUnknown: leftOutSchema.meta({
    description: `Issues that are done and may have been finished in the ${span}; since when is unknown, and why.`,
  }),
  unclear: leftOutSchema.meta({
    description: 'Issues that may or may not be done, and why.',
  }),
  statusesWithoutCategory: z.array(z.string()).meta({
    description: 'Statuses the issues were in whose category is unknown; `complete` is false then.',
  }),
});

/** A status that figures are of. */
export const statusMembers = {
  id: z.string(),
  name: z.string(),
  statusCategory: z.object({ name: z.string() }),
};

/** Where figures that are no table come from, and how they are shown. */
export const aroundFigures = outerSchema
  .pick({
    ignoredParameters: true,
    timeZone: true,
    version: true,
    calendar: true,
    asOf: true,
    askedAt: true,
    dataAsOf: true,
    complete: true,
    cutHistories: true,
    undecided: true,
    unaskedIssues: true,
    notes: true,
  })
  .extend({
    complete: z.boolean().meta({
      description:
        'Whether every history is complete, no issue was left out, and the category of every status is known.',
    }),
    viewFormat: z.enum(viewFormats),
    query: z.string().nullable().meta({ description: 'The JQL that chose the issues.' }),
  });

/** The aggregates of a week. */
export const weeklySchema = aroundFigures
  .extend({
    issueCount: z.int().meta({ description: 'Issues finished in the nine weeks, or open in them.' }),
    week: z.object(weekMembers),
    finished: compared(z.number().nullable(), 'Mean per week.')
      .extend({ reason: reason.optional() })
      .meta({ description: 'Issues finished; null where it is unknown.' }),
    cycleTime: pooled.meta({
      description:
        'Of the issues finished: from the first entry into a status of category In Progress to the last exit from a status that is not Done.',
    }),
    statuses: z
      .array(
        z.object({
          ...statusMembers,
          finished: pooled.meta({ description: 'Whole time in the status of the issues finished.' }),
          within: compared(durationSchema, 'Mean per week.').meta({
            description: 'Time all issues together spent in the status within the week.',
          }),
        }),
      )
      .meta({ description: 'Those of category Done are left out.' }),
    weeks: z
      .array(
        z.object({
          ...weekMembers,
          finished: z.int().nullable(),
          reason: reason.optional(),
          cycleTime: statisticsSchema,
          within: z.array(z.object({ id: z.string(), ...durationMembers })),
        }),
      )
      .meta({ description: 'Nine weeks, the oldest first, the week itself last.' }),
    against: z.enum(['weekBefore', 'eightWeeks']).nullable().meta({
      description: 'The average cycle time that the movers are measured against.',
    }),
    movers: z
      .array(
        z.object({
          issueKey: z.string(),
          summary: z.string(),
          link: z.string().nullable(),
          cycleTime: durationSchema,
          shift: durationSchema.meta({ description: 'How much it changed the average; negative: down.' }),
        }),
      )
      .meta({ description: 'The five issues that changed the average cycle time most.' }),
    withoutCycleTime: leftOutSchema.meta({
      description: 'Issues finished in the week that have no cycle time, and why.',
    }),
    ...doubtsMembers('week'),
  })
  .meta({ id: 'WeeklyAggregates' });
