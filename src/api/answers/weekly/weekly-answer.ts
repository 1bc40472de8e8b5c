import { z } from 'zod';
import type { Provenance } from '../../../model/table.ts';
import { isoInstant } from '../../../output/encode.ts';
import { agingIssue, targetMembers } from '../aging/aging-answer.ts';
import {
  compared,
  countOrNull,
  described,
  durationStatistics,
  factMembers,
  issueMembers,
  leftOut,
  ms,
  statusOfWork,
  unknownMembers,
  type ValueOf,
} from '../document.ts';

/** An ISO week of a zone, Monday midnight to Monday midnight. */
const weekMembers = {
  id: z.string().meta({ examples: ['2026-W46'] }),
  start: isoInstant,
  end: isoInstant.meta({ description: 'The first instant after the week.' }),
  whole: described(
    z.boolean(),
    'False while the week runs: its figures go to asOf, and counts and time within it are not comparable to those of whole weeks.',
    'False while the week runs: not comparable to whole weeks.',
  ),
};

const figuresOfWeeks = compared(durationStatistics, 'All issues finished in them.').meta({
  id: 'ComparedFigures',
});

/** A figure of the week beside that of the week before. */
const pair = z.object({ week: countOrNull, weekBefore: countOrNull }).meta({ id: 'WithWeekBefore' });

/** Issues finished, and how many of them within their target. */
const withinTarget = {
  finishedWithin: described(z.int(), 'Those of them that kept within the target.', ''),
  finished: described(z.int(), 'Issues finished that have a cycle time.', 'With a cycle time.'),
};

const contributor = z.object({
  ...issueMembers,
  cycleMs: ms,
  // (cycle time - baseline) / issues; over all issues of the week they add up to the change of the average.
  shiftMs: described(
    ms,
    'How much it changed the average; negative: down.',
    'How much it changed the average.',
  ),
});

const blockedWork = z.object({ blockedMs: ms, issues: z.int() }).meta({ id: 'BlockedWork' });

/** The members of the figures of a week that any door shows. */
export const weeklyMembers = {
  week: z.object(weekMembers),
  finished: described(
    compared(countOrNull, 'Mean per week.'),
    'Issues finished; null: unknown, and finishedUnknown says why.',
    'Issues finished; null: finishedUnknown says why.',
  ),
  finishedUnknown: z.string().nullable(),
  only: described(
    z.object({ ...issueMembers, cycleMs: ms.nullable() }).nullable(),
    'The issue finished in the week, if it is exactly one.',
    'The issue finished, if exactly one.',
  ),
  cycleTime: described(
    figuresOfWeeks,
    'Of the issues finished: from the first entry into a started status to the last exit from a status that is not done.',
    'From the first started status until done.',
  ),
  inProgress: described(pair, 'Issues in progress at the end of the week.', 'At its end.'),
  flowEfficiency: described(
    pair,
    'Active time divided by active and waiting time; null where no stage waits and nothing was blocked. Where a project has a flow, blocked time is not active.',
    'Active time by active and waiting time; null: nothing waits.',
  ),
  target: described(
    z
      .object({
        project: described(z.string(), 'Its key.', ''),
        ...targetMembers,
        ...withinTarget,
        weekBefore: described(z.object(withinTarget), 'The same of the previous week.', ''),
      })
      .nullable(),
    'The target of the project, and how many issues were finished within it; one that is learned is of the 90 days before the week. Null: issues of several projects, or no target.',
    'Null: several projects, or none.',
  ),
  blocked: described(
    z.object({ week: blockedWork, weekBefore: blockedWork }).nullable(),
    'Blocked time of started issues within the week, counting links to issues that you can see, and how many they are; null: unknown.',
    'Of started issues; null: unknown.',
  ),
  statuses: described(
    z.array(
      statusOfWork.extend({
        finished: described(
          figuresOfWeeks,
          'Whole time in the status of the issues finished.',
          'Whole time of issues finished.',
        ),
        withinMs: described(
          compared(ms, 'Mean per week.'),
          'Time all issues together spent in the status within the week.',
          'Time all issues spent there in the week.',
        ),
      }),
    ),
    'Those that are done are left out.',
    '',
  ),
  weeks: described(
    z.array(
      z.object({
        ...weekMembers,
        finished: countOrNull,
        finishedUnknown: z.string().nullable(),
        cycleTime: durationStatistics,
        withinMs: z.record(z.string(), ms).meta({ description: 'By status id.' }),
      }),
    ),
    'Nine weeks, the oldest first, the week itself last.',
    'Nine, the oldest first.',
  ),
  against: described(
    z.enum(['weekBefore', 'eightWeeks']).nullable(),
    'The average cycle time that the shift of each contributor refers to.',
    'The average that shiftMs refers to.',
  ),
  contributors: described(
    z.array(contributor),
    'The five issues that changed the average cycle time most.',
    'They changed the average most.',
  ),
  attention: described(
    z.array(agingIssue),
    'Started issues furthest beyond what is usual in their status, as of asOf.',
    'Furthest beyond usual.',
  ),
  withoutCycleTime: leftOut.meta({ description: 'Finished, without a cycle time.' }),
  ...unknownMembers,
};

/** An issue finished in the week; `assignee` is its name, null: unassigned. */
const weekIssue = z.object({
  ...issueMembers,
  assignee: z.string().nullable(),
  finishedAt: isoInstant,
  cycleMs: ms.nullable(),
  noCycleTime: z.string().nullable(),
});

/** An issue finished in the week, and its cycle time, or why it has none. */
export type WeekIssue = ValueOf<typeof weekIssue>;

/** The figures of a week in a file, with the issues finished in it. */
export const weekFile = z.object({
  title: z.string(),
  filter: z.string(),
  source: z.string(),
  ...factMembers,
  ...weeklyMembers,
  issues: z.array(weekIssue),
});

/** The figures of a week, compared with previous weeks. */
export const weeklySchema = z.object(weeklyMembers);

/** The figures of a week; `provenance.issues` counts the issues finished in the nine weeks or open in them. */
export type WeeklyAggregates = ValueOf<typeof weeklySchema> & { readonly provenance: Provenance };
/** The figures of one of the nine weeks. */
export type WeekPoint = WeeklyAggregates['weeks'][number];
/** The figures of a week in one status. */
export type WeeklyStatus = WeeklyAggregates['statuses'][number];
/** An issue finished in the week, and by how much it moved the average cycle time away from that of `against`. */
export type Contributor = WeeklyAggregates['contributors'][number];
/** An ISO week. */
export type Week = WeeklyAggregates['week'];
