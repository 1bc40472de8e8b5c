import { z } from 'zod';
import { workKinds } from '../../../model/flow.ts';
import type { Provenance } from '../../../model/table.ts';
import { isoInstant } from '../../../output/encode.ts';
import { countOrNull, described, durationStatistics, ms, unknownMembers, type ValueOf } from '../document.ts';

/** Percentiles of durations; null where there are none. */
const percentiles = z
  .object({ count: z.int(), p50Ms: ms.nullable(), p85Ms: ms.nullable(), p95Ms: ms.nullable() })
  .meta({ id: 'Percentiles' });

const weekPoint = z.object({
  id: z.string().meta({ examples: ['2026-W46'] }),
  start: isoInstant,
  end: isoInstant.meta({ description: 'The first instant after the week.' }),
  whole: z.boolean().meta({ description: 'False while the week runs: its figures go to asOf.' }),
  arrived: z.int().meta({ description: 'Issues created.' }),
  finished: countOrNull,
  finishedUnknown: z.string().nullable().meta({ description: 'Why finished is null.' }),
  inProgress: countOrNull.meta({ description: 'Started and not done at its end.' }),
  cycleTime: durationStatistics.meta({ description: 'Of the issues finished in the week.' }),
  flowEfficiency: described(
    countOrNull,
    'Active time divided by active and waiting time within the week; null where no stage waits and nothing was blocked. Where a project has a flow, blocked time is not active.',
    'Active by active and waiting time; null: nothing waits.',
  ),
});

const stage = z.object({
  name: z.string(),
  kind: described(
    z.enum(workKinds),
    'queue: before the start; active: worked on; waiting: for someone; done; unknown: no one has said.',
    '',
  ),
  counts: z.array(z.int()).meta({ description: 'The issues in the stage at each instant.' }),
  left: described(
    percentiles,
    'The time from the start of each issue finished in the weeks until it last left the stage.',
    'Time from the start until finished issues last left it.',
  ),
  open: z
    .int()
    .meta({ description: 'Issues in it now whose age is known; 0 for a stage that is not started.' }),
});

/** The flow of issues in the last twelve weeks and the running one. */
export const flowMetricsSchema = z.object({
  weeks: described(
    z.array(weekPoint),
    'Twelve whole ISO weeks, the oldest first, and the running one.',
    'Twelve whole ones, the oldest first, and the running one.',
  ),
  total: z
    .object({
      arrived: z.int(),
      finished: countOrNull,
      inProgress: countOrNull.meta({ description: 'Now.' }),
      cycleTime: percentiles,
      flowEfficiency: countOrNull,
    })
    .meta({ description: 'All weeks together.' }),
  instants: described(
    z.array(isoInstant),
    'The start of the first week, the end of each day, and asOf: the instants of counts.',
    'The instants of counts: the start, the end of each day, asOf.',
  ),
  stages: described(
    z.array(stage),
    'In the order of the flow. One above the other from the last to the first, their counts are a cumulative flow diagram.',
    'In the order of the flow.',
  ),
  finishedIssues: described(
    z.array(z.object({ key: z.string(), finishedAt: isoInstant, cycleMs: ms })),
    'The issues finished, the first to finish first: at most 1,000, of more every second, third and so on; total.cycleTime counts all.',
    'At most 1,000, evenly chosen.',
  ),
  openIssues: described(
    z.array(z.object({ key: z.string(), stage: z.string(), ageMs: ms })),
    'The started issues, the oldest since their start first, at most 500.',
    'Started issues, the oldest since their start first, at most 500.',
  ),
  ageUnknown: z.array(z.string()).meta({ description: 'Started, since when is unknown.' }),
  ...unknownMembers,
});

/** The flow of issues; `provenance.issues` counts those that were open in the weeks, or became done in them. */
export type FlowMetrics = ValueOf<typeof flowMetricsSchema> & { readonly provenance: Provenance };
/** The figures of one week. */
export type FlowWeek = FlowMetrics['weeks'][number];
/** The figures of one stage. */
export type FlowStage = FlowMetrics['stages'][number];
/** Percentiles of durations. */
export type FlowPercentiles = FlowStage['left'];
