import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { exportId } from '../parameters/export-id.ts';
import { exportJson } from '../wire/export-json.ts';
import { exportSchema } from '../wire/export-schema.ts';

/** Ends a queued export before its time. */
export const exportAbort = defineRoute({
  methods: ['delete'],
  paths: ['/rest/export/:exportId', '/rest/export/status/:exportId'],
  guarded: true,
  section: 'Exports',
  summary: 'Abort a queued export that has not ended yet',
  parameters: z.object({ exportId }),
  answers: {
    description: 'The export, aborted.',
    content: { 'application/json': exportSchema },
    failures: [404],
  },
  answer: async ({ exportId: id }, principal, parts) => ({
    body: await exportJson(await parts.exports.abort(principal, id), principal, parts),
  }),
});
