import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { parameterSetId } from '../parameters/parameter-set-id.ts';

/**
 * Deletes a parameter set. A set that a digest names is deleted as well: its owner does not see the digests of others, and so
 * could not act upon a refusal. (A category is a record for the audit, and is refused.)
 */
export const parameterSetDelete = defineRoute({
  methods: ['delete'],
  paths: ['/rest/reportSettings/:id', '/rest/parameterSets/:id'],
  guarded: true,
  section: 'Parameter sets',
  summary: 'Delete a parameter set; what names it by paramSetId fails from then on',
  parameters: z.object({ id: parameterSetId }),
  answers: {
    description: 'It is gone.',
    content: {},
    failures: [403, 404],
  },
  async answer({ id }, principal, { settings }) {
    await settings.deleteParameterSet(principal, id);
    return { status: 204, body: undefined };
  },
});
