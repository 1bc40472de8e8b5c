import { z } from 'zod';
import { text } from '../../parameters/parameter.ts';
import { defineRoute } from '../define-route.ts';
import { fileContent } from '../wire/export-schema.ts';
import { trustHeaders } from '../wire/report-reply.ts';

/** The file of a queued export, for whoever has a link to it. */
export const exportByTicket = defineRoute({
  methods: ['get'],
  paths: ['/rest/export/download'],
  guarded: false,
  section: 'Exports',
  summary: 'The file of a queued export, by the ticket of its link',
  parameters: z.object({
    ticket: text.meta({
      description: 'What the link of a finished export holds; good for some minutes.',
      format: 'password',
    }),
  }),
  answers: {
    description: 'The file.',
    content: fileContent(),
    failures: [404],
  },
  async answer({ ticket }, _principal, { exports }) {
    const file = await exports.fileByTicket(ticket);
    // The address opens the file, so no other page is to learn it.
    return { file, headers: { ...trustHeaders(file.provenance), 'Referrer-Policy': 'no-referrer' } };
  },
});
