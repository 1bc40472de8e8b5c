import { z } from 'zod';
import { defineJsonRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { recordId } from '../parameters/record-id.ts';
import { categoryInputSchema, categorySchema } from '../wire/delegation-schema.ts';

/** Changes a category. */
export const categoryUpdate = defineJsonRoute({
  methods: ['put'],
  paths: delegationPaths('category/:id'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'Change a category, with the right to edit all',
  parameters: z.object({ id: recordId('category') }),
  body: categoryInputSchema,
  answers: {
    description: 'The category as it is stored now.',
    content: { 'application/json': categorySchema },
    failures: [403, 404],
  },
  permit: (_parameters, principal, { delegations }) => delegations.permitCategories(principal),
  answer: async ({ id }, principal, { delegations }, input) => ({
    body: await delegations.updateCategory(principal, id, input),
  }),
});
