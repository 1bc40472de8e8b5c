import { z } from 'zod';
import { defineJsonRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { delegationJson } from '../wire/delegation-json.ts';
import { delegationInputSchema, delegationSchema, readDelegationInput } from '../wire/delegation-schema.ts';

/** Keeps a new delegation. */
export const delegationCreate = defineJsonRoute({
  methods: ['post'],
  paths: delegationPaths('delegation'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'Create a delegation; for another delegator with the right to edit all',
  parameters: z.object({}),
  body: delegationInputSchema,
  answers: {
    description: 'The delegation as it is stored.',
    content: { 'application/json': delegationSchema },
    failures: [403],
  },
  answer: async (_parameters, principal, { delegations }, input) => ({
    body: delegationJson(await delegations.create(principal, readDelegationInput(input))),
  }),
});
