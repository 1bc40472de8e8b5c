import { z } from 'zod';
import { type CategoryInput, type DelegationInput, uncoveredReasons } from '../../model/delegation.ts';
import { jsonMinute } from '../parameters/json-minute.ts';

const example = {
  active: true,
  delegator: 'bob',
  delegates: ['carl', 'dora'],
  categoryIds: [],
  startDate: '2026-12-18T18:00Z',
  endDate: '2027-01-04T09:00+01:00',
  notes: 'Winter holidays',
};

/** Of numbers beyond all ids; what is no number at all is told as everywhere. */
function whyNoId({ code }: { readonly code: string }): string | undefined {
  return code === 'too_big' || code === 'too_small'
    ? 'is not the id of a category. Try: a whole number'
    : undefined;
}

/** What is told of a delegation that is made or changed. */
export const delegationInputSchema = z
  .object({
    active: z.boolean().default(true),
    delegator: z.string().trim().meta({ description: 'User name; cannot change once it is saved.' }),
    delegates: z
      .array(z.string().trim())
      .meta({ description: 'User names, at least one, in the order in which they are to be asked.' }),
    categoryIds: z
      .array(z.int({ error: whyNoId }))
      .default([])
      .meta({ description: 'Ids of categories; none means general, which covers every one.' }),
    startDate: jsonMinute.meta({ description: 'From this minute on: ISO 8601 with an offset.' }),
    endDate: jsonMinute.meta({ description: 'Until just before this minute: ISO 8601 with an offset.' }),
    notes: z.string().default('').meta({ description: 'For people only.' }),
  })
  .meta({ id: 'DelegationInput', examples: [example] });

/** The input behind a checked body. */
export function readDelegationInput({
  startDate: start,
  endDate: end,
  ...rest
}: z.output<typeof delegationInputSchema>): DelegationInput {
  return { ...rest, start, end };
}

const recordMembers = {
  delegationId: z.int(),
  version: z.int().meta({ description: 'Rises by one with every change.' }),
  active: z.boolean(),
  delegator: z.string(),
  delegates: z.array(z.string()),
  categoryIds: z.array(z.int()).meta({ description: 'None: general.' }),
  startDate: z.string().meta({ description: 'ISO 8601 in UTC, such as 2024-12-18T18:00Z.' }),
  endDate: z.string(),
  notes: z.string(),
};

/** A delegation as it is answered. */
export const delegationSchema = z.object(recordMembers).meta({ id: 'Delegation' });

/** One page of delegations. */
export const delegationPageSchema = z
  .object({
    total: z.int(),
    startAt: z.int(),
    pageSize: z.int().meta({ description: 'How many a page has at most.' }),
    values: z.array(delegationSchema),
  })
  .meta({ id: 'DelegationPage' });

/** Every version of a delegation. */
export const delegationVersionsSchema = z.array(
  z
    .object({
      ...recordMembers,
      savedBy: z.string().nullable().meta({ description: 'Null where it came with the tracker.' }),
      savedAt: z.iso.datetime().nullable(),
    })
    .meta({ id: 'DelegationVersion' }),
);

/** What is told of a category that is made or changed. */
export const categoryInputSchema = z
  .object({
    name: z.string().trim().meta({ description: 'Unique without regard to case, and not general.' }),
    description: z.string().default(''),
  })
  .meta({
    id: 'DelegationCategoryInput',
    examples: [{ name: 'Expense', description: 'Whatever costs money' }],
  }) satisfies z.ZodType<CategoryInput>;

/** A category as it is answered. */
export const categorySchema = z
  .object({ id: z.int(), name: z.string(), description: z.string() })
  .meta({ id: 'DelegationCategory' });

const named = z.object({
  ...recordMembers,
  categories: z.array(z.string()).meta({ description: 'Names of the categories, or general.' }),
});
const spanMembers = {
  from: z.string().meta({ description: 'ISO 8601 in UTC, to the minute.' }),
  until: z.string().meta({ description: 'Not included.' }),
};

/** Who covers for whom in a span of time. */
export const coverageSchema = z
  .object({
    span: z.object(spanMembers),
    delegations: z.array(named).meta({ description: 'In force at some time of the span.' }),
    uncovered: z
      .array(
        z.object({
          person: z.string(),
          category: z.string(),
          reason: z.enum(uncoveredReasons).meta({
            description:
              'loop: the delegates are away in a circle; gap: one delegation ended and the next is yet to begin; unknown: the tracker knows none of the delegates.',
          }),
          ...spanMembers,
        }),
      )
      .meta({ description: 'A person is away without cover.' }),
    awayToo: z
      .array(
        z.object({
          person: z.string(),
          delegate: z.string(),
          category: z.string(),
          standIns: z.array(z.string()).nullable().meta({
            description:
              "Those at the ends of the delegate's own chain; null without the right to view all delegations.",
          }),
          ...spanMembers,
        }),
      )
      .meta({ description: 'A delegate is away as well.' }),
    ending: z.array(named).meta({ description: 'End within the span, and nothing follows at once.' }),
  })
  .meta({ id: 'DelegationCoverage' });
