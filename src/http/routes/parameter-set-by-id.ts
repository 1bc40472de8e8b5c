import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { parameterSetId } from '../parameters/parameter-set-id.ts';
import { parameterSetJson } from '../wire/parameter-set-json.ts';
import { parameterSetSchema } from '../wire/parameter-set-schema.ts';

/** One parameter set with its whole configuration. */
export const parameterSetById = defineRoute({
  methods: ['get'],
  paths: ['/rest/reportSettings/:id', '/rest/parameterSets/:id'],
  guarded: true,
  section: 'Parameter sets',
  summary: 'One parameter set with its whole configuration',
  parameters: z.object({ id: parameterSetId }),
  answers: {
    description: 'The parameter set.',
    content: { 'application/json': parameterSetSchema },
    failures: [404],
  },
  answer: async ({ id }, principal, { settings }) => ({
    body: parameterSetJson(await settings.parameterSet(principal, id)),
  }),
});
