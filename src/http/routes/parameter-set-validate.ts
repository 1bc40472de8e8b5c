import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { parameterSetId } from '../parameters/parameter-set-id.ts';
import { savedReportErrors } from '../report/saved-report-errors.ts';
import { validationSchema } from '../wire/parameter-set-schema.ts';

/** Whether a saved parameter set can still be used. */
export const parameterSetValidate = defineRoute({
  methods: ['get'],
  paths: ['/rest/reportSettings/:id/validate', '/rest/parameterSets/:id/validate'],
  guarded: true,
  section: 'Parameter sets',
  summary: 'Whether a parameter set can be used, and if not, why',
  parameters: z.object({ id: parameterSetId }),
  answers: {
    description: 'The verdict.',
    content: { 'application/json': validationSchema },
    failures: [404],
  },
  async answer({ id }, principal, parts) {
    const { report } = await parts.settings.parameterSet(principal, id);
    const messages = await savedReportErrors(report, principal, parts);
    return { body: { valid: messages.length === 0, messages } };
  },
});
