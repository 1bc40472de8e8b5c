import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { exportId } from '../parameters/export-id.ts';
import { fileContent } from '../wire/export-schema.ts';
import { trustHeaders } from '../wire/report-reply.ts';

/** The file of a queued export, for its principal. */
export const exportDownload = defineRoute({
  methods: ['get'],
  paths: ['/rest/export/:exportId/download', '/rest/export/status/:exportId/download'],
  guarded: true,
  section: 'Exports',
  summary: 'The file of a queued export',
  parameters: z.object({ exportId }),
  answers: {
    description: 'The file.',
    content: fileContent(),
    failures: [404],
  },
  async answer({ exportId: id }, principal, { exports }) {
    const file = await exports.file(principal, id);
    return { file, headers: trustHeaders(file.provenance) };
  },
});
