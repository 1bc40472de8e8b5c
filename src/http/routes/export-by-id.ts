import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { exportId } from '../parameters/export-id.ts';
import { exportJson } from '../wire/export-json.ts';
import { exportSchema } from '../wire/export-schema.ts';

/** One queued export. */
export const exportById = defineRoute({
  methods: ['get'],
  paths: ['/rest/export/:exportId', '/rest/export/status/:exportId'],
  guarded: true,
  section: 'Exports',
  summary: 'The progress of a queued export',
  parameters: z.object({ exportId }),
  answers: {
    description: 'The export.',
    content: { 'application/json': exportSchema },
    failures: [404],
  },
  answer: async ({ exportId: id }, principal, parts) => ({
    body: await exportJson(await parts.exports.get(principal, id), principal, parts),
  }),
});
