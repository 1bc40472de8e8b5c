import { z } from 'zod';
import type { Provenance } from '../../../model/table.ts';
import { isoInstant, mapped } from '../../../output/encode.ts';
import type { IssueReason } from '../../nudges/nudges-api.ts';
import {
  described,
  issueMembers,
  ms,
  person,
  statusOfWork,
  unknownMembers,
  type ValueOf,
} from '../document.ts';
import { blockedNow } from '../figures/blocked-times.ts';

/** The usual time in a status: of `visits` that ended there in the last `days` days, 85% were not longer than `p85Ms`. */
const dwellPercentile = z.object({ p85Ms: ms, visits: z.int(), days: z.int() }).meta({ id: 'Usual' });

/** The members of a target; those of different ones have none in common. */
export const targetMembers = {
  percent: described(z.int().nullable(), 'The share of the issues; null: they differ.', ''),
  withinMs: described(ms.nullable(), 'The cycle time to keep within; null: they differ.', ''),
  source: described(
    z.enum(['set', 'learned', 'mixed']),
    'Set in the flow of the project; learned: the 85th percentile of the cycle times of its last 90 days; mixed: issues have different targets, and each counts by its own.',
    'learned: p85 of 90 days.',
  ),
};

/** The target of a started issue. */
const issueTarget = z
  .object({
    percent: z.int(),
    withinMs: ms,
    source: z.enum(['set', 'learned']),
    dueAt: described(
      isoInstant.nullable(),
      'When its cycle time reaches the target, in the past where that is missed; null: never in this calendar.',
      '',
    ),
    isMissed: z.boolean(),
  })
  .meta({ id: 'IssueTarget' });

/** The latest answer to a nudge about the stay that an issue is in. */
export const issueReason = mapped(
  ({ person: { id, name }, at, ...answer }: IssueReason) => ({
    kind: answer.kind,
    text: answer.kind === 'blocked' ? answer.reason : null,
    by: { id, name },
    at,
    until: answer.kind === 'snoozed' ? answer.until : null,
  }),
  z.object({
    kind: z.enum(['onIt', 'blocked', 'snoozed']),
    text: described(z.string().nullable(), 'What blocks it; null: it is not blocked.', ''),
    by: person,
    at: isoInstant,
    until: described(isoInstant.nullable(), 'The end of the snooze; null: it is not snoozed.', ''),
  }),
);

/** An open issue and how long it has been where it is. */
export const agingIssue = z
  .object({
    ...issueMembers,
    project: z.string(),
    status: statusOfWork,
    assignee: person.nullable(),
    since: isoInstant,
    ageMs: described(ms, 'How long it has been in its status.', 'In its status.'),
    usual: described(
      dwellPercentile.nullable(),
      'The 85th percentile of the stays in that status and project in the last 90 days; null: fewer than five.',
      'p85 of 90 days there.',
    ),
    pace: described(
      z.number().nullable(),
      'Age divided by usual: above 1 is longer than usual; null without a usual time.',
      'Age divided by usual.',
    ),
    workMs: described(
      ms.nullable(),
      'Its cycle time so far; null: it is not started, or its history does not show it.',
      'Cycle time so far.',
    ),
    target: described(
      issueTarget.nullable(),
      'The cycle time that it is to keep within; null: not started, no known cycle time so far, or no target.',
      '',
    ),
    historyComplete: z.boolean(),
    blocked: described(
      blockedNow.nullable().default(null),
      'What blocks it now, counting links to issues that you can see; null: nothing, or unknown.',
      'Now.',
    ),
    reason: described(
      issueReason.nullable().default(null),
      'The latest answer to a nudge about its stay in this status: someone is on it, something blocks it, or it is snoozed; null: none.',
      'Answer to a nudge.',
    ),
  })
  .meta({ id: 'AgingIssue' });

/** Members of open issues by age, those furthest beyond what is usual first. */
const agingMembers = {
  issues: z.array(agingIssue),
  total: z.int(),
  beyondUsual: described(z.int(), 'How many are beyond what is usual.', ''),
  withUsual: described(z.int(), 'How many have a known usual time.', ''),
  target: described(
    z
      .object({
        ...targetMembers,
        missed: described(z.int(), 'Started issues that have missed theirs.', ''),
        dueToday: described(z.int(), 'Started issues that reach theirs today.', ''),
      })
      .nullable(),
    'The target of the started issues, listed or not; null: they have none.',
    '',
  ),
  notStarted: described(
    z.object({ count: z.int(), oldestMs: ms.nullable() }),
    'Open issues that are not started, listed or not.',
    'Listed or not.',
  ),
  ageUnknown: z.array(z.string()).meta({ description: 'Open, left out: since when is unknown.' }),
  unclear: unknownMembers.unclear,
  statusesWithoutCategory: unknownMembers.statusesWithoutCategory,
};

/** Open issues, those furthest beyond what is usual first, then by age. */
export const agingSchema = z.object(agingMembers);

/** Open issues by age; `issues` are the first of them, as many as were requested at least, `projects` those of all of them. */
export type Aging = ValueOf<typeof agingSchema> & {
  readonly projects: readonly string[];
  readonly provenance: Provenance;
};
/** An open issue and how long it has been where it is. */
export type AgingIssue = ValueOf<typeof agingIssue>;
/** The usual time in a status. */
export type DwellPercentile = ValueOf<typeof dwellPercentile>;

/** Open issues of a person, and of those the person covers for now. */
export const mineSchema = z.object({
  own: agingSchema,
  covered: z.array(
    z.object({
      person: z.object({ id: z.string(), name: z.string() }),
      category: z.string().meta({ description: 'What the person is covered for.' }),
      aging: agingSchema,
    }),
  ),
});
type MineShape = ValueOf<typeof mineSchema>;

/** The open issues of a person, and those of the people they cover for now. */
export interface Mine {
  readonly own: Aging;
  readonly covered: readonly (Omit<MineShape['covered'][number], 'aging'> & { readonly aging: Aging })[];
}
