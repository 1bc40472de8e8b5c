import { z } from 'zod';
import { flag, text, wholeNumber } from '../../api/parameters/parameter.ts';
import type {
  CategoryInput,
  Delegation,
  DelegationInput,
  DelegationVersion,
} from '../../model/delegation.ts';
import { isoInstant, mapped } from '../../output/encode.ts';
import { readInstant } from '../../time/date-text.ts';
import { defineRoute, json } from '../define-route.ts';
import { delegationMembers, delegationOf, delegationPaths, recordId } from '../delegation-wire.ts';

/** No clock has shown the year 0, and none is further than 18 hours from UTC. */
const wholeMinute = /^(?!0000)[\d-]+T\d\d:\d\d(?::00(?:\.0{1,9})?)?(?:Z|[+-](?:0\d|1[0-8]):?\d\d)$/i;

/** An instant of a JSON body in ISO 8601 with its offset, a whole minute, as epoch ms. */
const jsonMinute = z
  .string()
  .transform((given, context) => {
    const read = wholeMinute.test(given.trim()) ? readInstant(given.trim()) : null;
    if (read !== null) return read.instant;
    context.addIssue(
      'is not a whole minute in ISO 8601 with an offset. Try: for example 2024-12-18T18:00Z or 2024-12-18T18:00+03:00',
    );
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['2024-12-18T18:00Z'] });

const example = {
  active: true,
  delegator: 'bob',
  delegates: ['carl', 'dora'],
  categoryIds: [],
  startDate: '2026-12-18T18:00Z',
  endDate: '2027-01-04T09:00+01:00',
  notes: 'Winter holidays',
};

/** The problem of a number beyond all ids. */
function idProblem({ code }: { readonly code: string }): string | undefined {
  return code === 'too_big' || code === 'too_small'
    ? 'is not the id of a category. Try: a whole number'
    : undefined;
}

const delegationInput = z
  .object({
    active: z.boolean().default(true),
    delegator: z.string().trim().describe('User name; cannot change once it is saved.'),
    delegates: z.array(z.string().trim()).describe('User names, at least one, in the order to ask them.'),
    categoryIds: z
      .array(z.int({ error: idProblem }))
      .default([])
      .describe('Ids of categories; none means general, which covers every one.'),
    startDate: jsonMinute.describe('Start, to the minute: ISO 8601 with an offset.'),
    endDate: jsonMinute.describe('End (exclusive), to the minute: ISO 8601 with an offset.'),
    notes: z.string().default('').describe('For people only.'),
  })
  .meta({
    id: 'DelegationInput',
    description: 'A delegation to create or replace.',
    examples: [example],
  });

type BodyInput = z.output<typeof delegationInput>;

function readInput({ startDate: start, endDate: end, ...input }: BodyInput): DelegationInput {
  return { ...input, start, end };
}

const delegation = mapped(
  delegationOf<Delegation>,
  z.object(delegationMembers).meta({ id: 'Delegation', description: 'A delegation in its newest version.' }),
);

const version = mapped(
  delegationOf<DelegationVersion>,
  z
    .object({
      ...delegationMembers,
      savedBy: z.string().nullable().describe('Null if it came with the tracker.'),
      savedAt: isoInstant.nullable(),
    })
    .meta({ id: 'DelegationVersion', description: 'A version of a delegation, with its author and time.' }),
);

const ofDelegations = { dialect: 'record', section: 'Delegations' } as const;

const MAX_RESULTS = 100;

/** Every route of delegations. */
export const delegationRoutes = [
  defineRoute({
    id: 'listDelegations',
    methods: ['get'],
    paths: delegationPaths('delegation'),
    ...ofDelegations,
    summary: 'The delegations you can see, by id, in pages',
    parameters: z.object({
      startAt: wholeNumber(0, 1_000_000_000)
        .default(0)
        .describe('Index of the first delegation of the page, counted from 0.'),
      maxResults: wholeNumber(1, 1_000_000_000)
        .transform((wanted) => Math.min(wanted, MAX_RESULTS))
        .default(MAX_RESULTS)
        .describe(`Maximum page size; more than ${MAX_RESULTS} means ${MAX_RESULTS}.`),
      includeExpired: flag.default(false).describe('Include expired delegations.'),
      delegator: text.optional().describe('User name: only those of this delegator.'),
      delegate: text.optional().describe('User name: only those that name this delegate.'),
      notes: text.default('').describe('Text in the notes, case-insensitive.'),
    }),
    answers: json(
      'One page; total counts all that match.',
      z
        .object({
          total: z.int(),
          startAt: z.int(),
          pageSize: z.int().describe('Maximum page size.'),
          values: z.array(delegation),
        })
        .meta({ id: 'DelegationPage', description: 'A page of delegations.' }),
      403,
      404,
    ),
    async answer({ startAt, maxResults, delegator = null, delegate = null, ...filter }, principal, parts) {
      const query = { ...filter, delegator, delegate, start: startAt, size: maxResults };
      const { values, total } = await parts.delegations.delegations(principal, query);
      return { body: { total, startAt, pageSize: maxResults, values } };
    },
  }),
  defineRoute({
    id: 'getDelegation',
    methods: ['get'],
    paths: delegationPaths('delegation/:id'),
    ...ofDelegations,
    summary: 'One delegation',
    parameters: z.object({ id: recordId('delegation') }),
    answers: json('Its newest version.', delegation, 403, 404),
    answer: async ({ id }, principal, { delegations }) => ({
      body: await delegations.delegation(principal, id),
    }),
  }),
  defineRoute({
    id: 'listDelegationVersions',
    methods: ['get'],
    paths: delegationPaths('delegation/:id/versions'),
    ...ofDelegations,
    summary: 'History of a delegation: its versions and who made them',
    parameters: z.object({ id: recordId('delegation') }),
    answers: json('A bare list, the oldest version first.', z.array(version), 403, 404),
    answer: async ({ id }, principal, { delegations }) => ({
      body: await delegations.versions(principal, id),
    }),
  }),
  defineRoute({
    id: 'createDelegation',
    methods: ['post'],
    paths: delegationPaths('delegation'),
    ...ofDelegations,
    summary: 'Create a delegation; for another delegator with the right to edit all',
    body: delegationInput,
    answers: json('The delegation as it is stored.', delegation, 403),
    answer: async (_parameters, principal, { delegations }, input) => ({
      body: await delegations.create(principal, readInput(input)),
    }),
  }),
  defineRoute({
    id: 'updateDelegation',
    methods: ['put'],
    paths: delegationPaths('delegation/:id'),
    ...ofDelegations,
    summary: 'Change a delegation as a whole, by its delegator or with the right to edit all',
    parameters: z.object({ id: recordId('delegation') }),
    body: delegationInput,
    answers: json('The delegation as it is stored now: a new version.', delegation, 403, 404),
    answer: async ({ id }, principal, { delegations }, input) => ({
      body: await delegations.update(principal, id, readInput(input)),
    }),
  }),
];

const categoryInput = z
  .object({
    name: z.string().trim().describe('Unique without regard to case, and not general.'),
    description: z.string().default(''),
  })
  .meta({
    id: 'DelegationCategoryInput',
    description: 'A category to create or change.',
    examples: [{ name: 'Expense', description: 'Purchases and other costs' }],
  }) satisfies z.ZodType<CategoryInput>;

const category = z
  .object({ id: z.int(), name: z.string(), description: z.string() })
  .meta({ id: 'DelegationCategory', description: 'A category that delegations can be limited to.' });

const ofCategories = { dialect: 'record', section: 'Delegations' } as const;

/** Every route of categories. */
export const categoryRoutes = [
  defineRoute({
    id: 'listDelegationCategories',
    methods: ['get'],
    paths: delegationPaths('category'),
    ...ofCategories,
    summary: 'Every category that delegations can be limited to',
    answers: json('A bare list, by id; general is not among them.', z.array(category), 403),
    answer: async (_parameters, principal, { delegations }) => ({
      body: await delegations.categories(principal),
    }),
  }),
  defineRoute({
    id: 'createDelegationCategory',
    methods: ['post'],
    paths: delegationPaths('category'),
    ...ofCategories,
    summary: 'Create a category, with the right to edit all',
    body: categoryInput,
    answers: json('The category as it is stored.', category, 403),
    permit: (_parameters, principal, { delegations }) => delegations.permitCategories(principal),
    answer: async (_parameters, principal, { delegations }, input) => ({
      body: await delegations.createCategory(principal, input),
    }),
  }),
  defineRoute({
    id: 'updateDelegationCategory',
    methods: ['put'],
    paths: delegationPaths('category/:id'),
    ...ofCategories,
    summary: 'Change a category, with the right to edit all',
    parameters: z.object({ id: recordId('category') }),
    body: categoryInput,
    answers: json('The category as it is stored now.', category, 403, 404),
    permit: (_parameters, principal, { delegations }) => delegations.permitCategories(principal),
    answer: async ({ id }, principal, { delegations }, input) => ({
      body: await delegations.updateCategory(principal, id, input),
    }),
  }),
  defineRoute({
    id: 'deleteDelegationCategory',
    methods: ['delete'],
    paths: delegationPaths('category/:id'),
    ...ofCategories,
    summary: 'Delete a category that no delegation has used, with the right to edit all',
    parameters: z.object({ id: recordId('category') }),
    answers: { description: 'It is gone.', content: {}, failures: [403, 404] },
    async answer({ id }, principal, { delegations }) {
      await delegations.deleteCategory(principal, id);
      return { body: undefined };
    },
  }),
];
