import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { recordId } from '../parameters/record-id.ts';
import { delegationJson } from '../wire/delegation-json.ts';
import { delegationSchema } from '../wire/delegation-schema.ts';

/** One delegation. */
export const delegationById = defineRoute({
  methods: ['get'],
  paths: delegationPaths('delegation/:id'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'One delegation',
  parameters: z.object({ id: recordId('delegation') }),
  answers: {
    description: 'Its newest version.',
    content: { 'application/json': delegationSchema },
    failures: [403, 404],
  },
  answer: async ({ id }, principal, { delegations }) => ({
    body: delegationJson(await delegations.delegation(principal, id)),
  }),
});
