import { z } from 'zod';
import type { CategoryInput } from '../../model/delegation.ts';
import { defineRoute, json } from '../define-route.ts';
import { delegationPaths, recordId } from '../delegation-wire.ts';

/** A category to create or change. */
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

/** A category as it is answered. */
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
