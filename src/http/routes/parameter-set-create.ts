import { z } from 'zod';
import { readParameters } from '../../parameters/saved-report.ts';
import { defineJsonRoute } from '../define-route.ts';
import { parameterSetJson } from '../wire/parameter-set-json.ts';
import { parameterSetSchema, parameterSetWishSchema } from '../wire/parameter-set-schema.ts';

/** Saves a parameter set. */
export const parameterSetCreate = defineJsonRoute({
  methods: ['post'],
  paths: ['/rest/reportSettings', '/rest/parameterSets'],
  guarded: true,
  section: 'Parameter sets',
  summary: 'Save a parameter set',
  parameters: z.object({}),
  body: parameterSetWishSchema,
  answers: {
    description: 'The set as it is kept.',
    content: { 'application/json': parameterSetSchema },
    failures: [403],
  },
  async answer(_parameters, principal, { settings }, { parameters, ...input }) {
    const report = readParameters(parameters);
    return { body: parameterSetJson(await settings.createParameterSet(principal, { ...input, report })) };
  },
});
