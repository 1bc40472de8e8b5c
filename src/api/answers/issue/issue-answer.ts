import { z } from 'zod';
import type { IssueFacts, Provenance } from '../../../model/table.ts';
import { isoInstant, mapped } from '../../../output/encode.ts';
import { issueMembers, ms, person, statusOfWork, type ValueOf } from '../document.ts';
import { blockedTimesSchema } from '../figures/blocked-times.ts';

/** The time an issue spent in one status within a phase of its life. */
const stage = statusOfWork
  .extend({
    visits: z.int(),
    spentMs: ms,
    now: z.boolean().meta({ description: 'The issue is in this status.' }),
  })
  .meta({ id: 'Stage' });

/** The completeness of an issue's history: if it is cut, the unknown time and the reason. */
const history = mapped(
  (own: IssueFacts['history']) =>
    own.complete
      ? { complete: true, unknownFrom: null, unknownUntil: null, reason: null }
      : { ...own, complete: false },
  z.object({
    complete: z.boolean(),
    unknownFrom: isoInstant.nullable(),
    unknownUntil: isoInstant.nullable(),
    reason: z.string().nullable(),
  }),
);

/**
 * One issue: what it is doing now, and where its time went. Its life has three phases: `before` work began, the `stages`
 * of the work until it was done or until now, and `after` it was done; each in workflow order.
 */
export const issueSchema = z.object({
  ...issueMembers,
  project: z.string(),
  assignee: person.nullable(),
  created: isoInstant,
  before: z.array(stage).meta({ description: 'Time in each status before work began.' }),
  stages: z.array(stage).meta({ description: 'Time of the work, until it was done or until now.' }),
  after: z.array(stage).meta({ description: 'Time since it was done.' }),
  tookMs: ms.meta({ description: 'All of stages; of a finished issue its cycle time.' }),
  startedAt: isoInstant.nullable().meta({
    description: 'First entry into a started status; null: never, or unknown.',
  }),
  finish: z
    .object({ finishedAt: isoInstant, by: person.nullable(), rounds: z.int() })
    .nullable()
    .meta({ description: 'When it was last done, who did it, and how often; null: open, or unknown.' }),
  reopened: z.boolean().meta({ description: 'It was done before, and is open again.' }),
  current: statusOfWork
    .extend({ since: isoInstant.nullable(), forMs: ms.nullable() })
    .nullable()
    .meta({ description: 'The status it is in; null where neither history nor tracker shows it.' }),
  usual: z.object({ p85Ms: ms }).nullable().meta({
    description:
      'The 85th percentile of the status it is in, or of the cycle times of the project; null: unknown.',
  }),
  statusesWithoutCategory: z.array(z.string()),
  blocked: blockedTimesSchema.nullable().meta({
    description:
      'The time in which it was blocked, counting links to issues that you can see; null: unknown.',
  }),
  unknown: z.object({ from: isoInstant, until: isoInstant, ms }).nullable().meta({
    description: 'Counted time that the cut history does not show.',
  }),
  history,
  contradictions: z.int().meta({ description: 'Changes that contradict the change before them.' }),
});

type IssueShape = ValueOf<typeof issueSchema>;
/** The time (working ms) an issue spent in one status within a phase of its life. */
export type StageTime = IssueShape['stages'][number];
/** The status of an issue; `since` and `forMs` are null where a cut history does not show them. */
export type CurrentStage = NonNullable<IssueShape['current']>;
/** The usual time of the status an open issue is in, or the usual cycle time of a finished issue's project. */
export type UsualTime = NonNullable<IssueShape['usual']>;
/** One issue: what it is doing now, and where its time went. */
export type IssueSummary = Omit<IssueShape, 'usual' | 'blocked'> & { readonly provenance: Provenance };

/** Several issues side by side, and the keys of those that the principal cannot see. */
export const issuesSchema = z.object({ issues: z.array(issueSchema), missing: z.array(z.string()) });
