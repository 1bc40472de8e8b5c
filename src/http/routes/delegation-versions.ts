import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { recordId } from '../parameters/record-id.ts';
import { delegationVersionJson } from '../wire/delegation-json.ts';
import { delegationVersionsSchema } from '../wire/delegation-schema.ts';

/** Every version of a delegation. */
export const delegationVersions = defineRoute({
  methods: ['get'],
  paths: delegationPaths('delegation/:id/versions'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'What a delegation was before, and who changed it when',
  parameters: z.object({ id: recordId('delegation') }),
  answers: {
    description: 'A bare list, the oldest version first.',
    content: { 'application/json': delegationVersionsSchema },
    failures: [403, 404],
  },
  answer: async ({ id }, principal, { delegations }) => ({
    body: (await delegations.versions(principal, id)).map(delegationVersionJson),
  }),
});
