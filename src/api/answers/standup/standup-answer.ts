import { z } from 'zod';
import type { Instant } from '../../../model/issue.ts';
import type { Provenance } from '../../../model/table.ts';
import { isoInstant } from '../../../output/encode.ts';
import type { ReasonsByKey } from '../../nudges/nudges-api.ts';
import { agingIssue, issueReason } from '../aging/aging-answer.ts';
import {
  described,
  issueMembers,
  ms,
  person,
  status,
  statusOfWork,
  unknownMembers,
  type ValueOf,
} from '../document.ts';
import { blockedNow } from '../figures/blocked-times.ts';

/** The number of all issues, and at most `MAX_LISTED` of them. */
function counted<Issue extends z.ZodType>(issue: Issue, description: string, brief = '') {
  return described(z.object({ count: z.int(), issues: z.array(issue) }), description, brief);
}

/** More issues of one kind are counted, not listed. */
export const MAX_LISTED = 20;

const finishedIssue = z
  .object({ ...issueMembers, cycleMs: described(ms.nullable(), 'Its cycle time; null: it has none.', '') })
  .meta({ id: 'FinishedSince' });

const movedIssue = z
  .object({
    ...issueMembers,
    assignee: person.nullable(),
    from: described(status.nullable(), 'The status it was in at `since`; null: it did not exist yet.', ''),
    to: statusOfWork,
    at: described(isoInstant, 'When it came to its status.', ''),
  })
  .meta({ id: 'MovedSince' });

const blockedIssue = z
  .object({
    ...issueMembers,
    status,
    assignee: person.nullable(),
    blockedMs: described(ms, 'How long it has been blocked this time.', ''),
    blocked: blockedNow,
    reason: described(
      issueReason.nullable().default(null),
      'The latest answer to a nudge about its stay in this status; null: none.',
      'Answer to a nudge.',
    ),
  })
  .meta({ id: 'BlockedIssue' });

const dueIssue = agingIssue
  .pick({ key: true, summary: true, link: true, status: true, assignee: true, target: true })
  .meta({ id: 'DueIssue' });

const cover = z
  .object({
    category: described(z.string().nullable(), 'The kind of work; null: all of it.', 'Null: all work.'),
    delegates: described(
      z.array(person).nullable(),
      'Those who cover and are here themselves; null: that is not for you to know.',
      'Null: not for you to know.',
    ),
  })
  .meta({ id: 'CoverNow' });

const awayPerson = z
  .object({
    person,
    until: described(isoInstant, 'The end of the last delegation that is in force.', ''),
    covers: described(z.array(cover), 'Empty: no one covers.', ''),
    waiting: counted(z.object(issueMembers), 'Started issues assigned to the person, the oldest first.'),
  })
  .meta({ id: 'AwayPerson' });

/** The news of a team since its last working day, and what is in its way today. */
export const standupSchema = z.object({
  since: described(isoInstant, 'The start of the last working day before today, by the calendar.', ''),
  finished: counted(finishedIssue, 'Finished since then.'),
  started: counted(movedIssue, 'Started since then for the first time, and not finished.'),
  moved: counted(movedIssue, 'In another status than then, and neither started nor finished since.'),
  inProgress: described(z.int(), 'Issues that are started and not done.', ''),
  blocked: described(
    counted(blockedIssue, 'Started issues that are blocked now, the longest first.').nullable(),
    'Started issues that are blocked now, or are so by the latest answer to a nudge (its `reason`, without causes), the longest first; null: unknown.',
    'Longest first.',
  ),
  due: counted(
    dueIssue,
    'Started issues that reach their target today, or missed it since then, the first to do so first.',
    'Reach their target today, or missed it since.',
  ),
  dueToday: described(z.int(), 'Those of them that reach it today.', ''),
  missed: described(z.int(), 'All started issues that have missed their target.', 'All that missed it.'),
  away: z.object({ count: z.int(), people: z.array(awayPerson) }).meta({
    description: 'People who are away now and have started issues.',
  }),
  coverShown: described(
    z.enum(['all', 'own', 'unknown', 'withheld']),
    'The delegations by which people are away. all: everyone’s; own: only yours, as you can view no others; unknown: the register does not say; withheld: none, in a post whose readers cannot all view them.',
    'own: you can view no others.',
  ),
  ...unknownMembers,
});

/** The news of a team since its last working day. */
export type Standup = Omit<ValueOf<typeof standupSchema>, 'blocked' | 'away' | 'due'> & {
  readonly due: { readonly count: number; readonly issues: readonly DueIssue[] };
  readonly away: { readonly count: number; readonly people: readonly AwayPerson[] };
  readonly blocked: { readonly count: number; readonly issues: readonly BlockedIssue[] } | null;
  /** Everyone may view all delegations, so that a post may name who is away. */
  readonly isCoverForAll: boolean;
  /** The answers to nudges about the issues that are blocked or due. */
  readonly reasons: ReasonsByKey;
  readonly projects: readonly string[];
  readonly provenance: Provenance;
};
/** A started issue that is blocked now; `statusSince`: null where that is unknown. */
export type BlockedIssue = ValueOf<typeof blockedIssue> & { readonly statusSince: Instant | null };
/** A started issue that reaches its target today, or missed it lately; `since` is when it came to its status. */
export type DueIssue = ValueOf<typeof dueIssue> & { readonly since: Instant };
/**
 * A person who is away, whose work waits; `lastDay` (yyyy-MM-dd) is the last day of it, null where it ends within a day; `canBeSet`: the
 * principal can set cover for them.
 */
export type AwayPerson = ValueOf<typeof awayPerson> & {
  readonly lastDay: string | null;
  readonly canBeSet: boolean;
};
