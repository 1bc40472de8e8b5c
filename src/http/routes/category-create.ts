import { z } from 'zod';
import { defineJsonRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { categoryInputSchema, categorySchema } from '../wire/delegation-schema.ts';

/** Keeps a new category. */
export const categoryCreate = defineJsonRoute({
  methods: ['post'],
  paths: delegationPaths('category'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'Create a category, with the right to edit all',
  parameters: z.object({}),
  body: categoryInputSchema,
  answers: {
    description: 'The category as it is stored.',
    content: { 'application/json': categorySchema },
    failures: [403],
  },
  permit: (_parameters, principal, { delegations }) => delegations.permitCategories(principal),
  answer: async (_parameters, principal, { delegations }, input) => ({
    body: await delegations.createCategory(principal, input),
  }),
});
