import { z } from 'zod';
import { defineJsonRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { recordId } from '../parameters/record-id.ts';
import { delegationJson } from '../wire/delegation-json.ts';
import { delegationInputSchema, delegationSchema, readDelegationInput } from '../wire/delegation-schema.ts';

/** Changes a delegation. */
export const delegationUpdate = defineJsonRoute({
  methods: ['put'],
  paths: delegationPaths('delegation/:id'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'Change a delegation as a whole, by its delegator or with the right to edit all',
  parameters: z.object({ id: recordId('delegation') }),
  body: delegationInputSchema,
  answers: {
    description: 'The delegation as it is stored now: a new version.',
    content: { 'application/json': delegationSchema },
    failures: [403, 404],
  },
  answer: async ({ id }, principal, { delegations }, input) => ({
    body: delegationJson(await delegations.update(principal, id, readDelegationInput(input))),
  }),
});
