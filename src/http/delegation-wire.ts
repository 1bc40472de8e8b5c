import { z } from 'zod';
import type { Delegation } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { mapped } from '../output/encode.ts';
import { dateText } from '../time/date-text.ts';

/** The base of the contract of delegations, then the one that newer versions of the compatible product name. */
export function delegationPaths(path: string): [string, string] {
  return [`/rest/delegation/api/1.0/${path}`, `/rest/delegation/1.0/api/${path}`];
}

/** The numeric id of a delegation or a category; `what` is its noun. */
export function recordId(what: string) {
  return z
    .string()
    .regex(/^\d{1,15}$/, { error: `is not the id of a ${what}. Try: a whole number` })
    .transform(Number)
    .meta({ type: 'integer', description: `Id of the ${what}.` });
}

/** An instant, sent in ISO 8601, in UTC and to the minute, such as `2024-12-18T18:00Z`. */
export const sentMinute = mapped(
  (instant: Instant) => dateText(instant, "yyyy-MM-dd'T'HH:mm'Z'", 'UTC'),
  z.string(),
);

/** The members of a delegation in an answer. */
export const delegationMembers = {
  delegationId: z.int(),
  version: z.int().describe('Rises by one with every change.'),
  active: z.boolean(),
  delegator: z.string(),
  delegates: z.array(z.string()),
  categoryIds: z.array(z.int()).describe('None: general.'),
  startDate: sentMinute.describe('ISO 8601 in UTC, such as 2024-12-18T18:00Z.'),
  endDate: sentMinute,
  notes: z.string(),
};

/** These members of a delegation, or of one of its versions; further members are copied. */
export function delegationOf<One extends Delegation>({ id, start, end, ...delegation }: One) {
  return { ...delegation, delegationId: id, startDate: start, endDate: end };
}

/** An instant as the contract of delegations has it, such as `2021-08-27 05:45:36 +0000`, in the server's zone. */
export function serverTime(instant: Instant, timeZone: string): string {
  return dateText(instant, 'yyyy-MM-dd HH:mm:ss Z', timeZone);
}
