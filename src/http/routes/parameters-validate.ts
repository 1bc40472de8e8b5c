import { z } from 'zod';
import { readParameters } from '../../parameters/saved-report.ts';
import { defineJsonRoute } from '../define-route.ts';
import { savedReportErrors } from '../report/saved-report-errors.ts';
import { parametersSchema, validationSchema } from '../wire/parameter-set-schema.ts';

/** Whether parameters could be saved and used. They come as they are, or as the member `parameters` of a set. */
export const parametersValidate = defineJsonRoute({
  methods: ['post'],
  paths: ['/rest/reportSettings/validate', '/rest/parameterSets/validate'],
  guarded: true,
  section: 'Parameter sets',
  summary: 'Whether parameters can be used, and if not, why',
  parameters: z.object({}),
  body: parametersSchema,
  answers: {
    description: 'The verdict.',
    content: { 'application/json': validationSchema },
  },
  async answer(_parameters, principal, parts, body) {
    const inner = parametersSchema.safeParse(body.parameters);
    const messages = await savedReportErrors(
      readParameters(inner.success ? inner.data : body),
      principal,
      parts,
    );
    return { body: { valid: messages.length === 0, messages } };
  },
});
