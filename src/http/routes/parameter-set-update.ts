import { z } from 'zod';
import { readParameters } from '../../parameters/saved-report.ts';
import { defineJsonRoute } from '../define-route.ts';
import { parameterSetId } from '../parameters/parameter-set-id.ts';
import { parameterSetJson } from '../wire/parameter-set-json.ts';
import { parameterSetChangeSchema, parameterSetSchema } from '../wire/parameter-set-schema.ts';

/** Changes a parameter set. */
export const parameterSetUpdate = defineJsonRoute({
  methods: ['put'],
  paths: ['/rest/reportSettings/:id', '/rest/parameterSets/:id'],
  guarded: true,
  section: 'Parameter sets',
  summary: 'Change a parameter set; members left out stay as they are',
  parameters: z.object({ id: parameterSetId }),
  body: parameterSetChangeSchema,
  answers: {
    description: 'The set as it is kept now.',
    content: { 'application/json': parameterSetSchema },
    failures: [403, 404],
  },
  permit: ({ id }, principal, { settings }) => settings.permit(principal, { parameterSet: id }),
  async answer({ id }, principal, { settings }, { parameters, ...others }) {
    const changes = parameters === undefined ? others : { ...others, report: readParameters(parameters) };
    return { body: parameterSetJson(await settings.updateParameterSet(principal, id, changes)) };
  },
});
