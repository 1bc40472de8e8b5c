import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { categorySchema } from '../wire/delegation-schema.ts';

/** Every category of delegations. */
export const categories = defineRoute({
  methods: ['get'],
  paths: delegationPaths('category'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'Every category that delegations can be limited to',
  parameters: z.object({}),
  answers: {
    description: 'A bare list, by id; general is not among them.',
    content: { 'application/json': z.array(categorySchema) },
    failures: [403],
  },
  answer: async (_parameters, principal, { delegations }) => ({
    body: await delegations.categories(principal),
  }),
});
