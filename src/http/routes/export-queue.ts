import { z } from 'zod';
import { exportParameters } from '../../parameters/report.ts';
import { defineRoute } from '../define-route.ts';
import { answerQueued } from '../report/answer-export.ts';
import { readExport } from '../report/read-export.ts';
import { queuedSchema } from '../wire/export-schema.ts';

/** The same file, always queued. */
export const exportQueue = defineRoute({
  methods: ['post'],
  paths: ['/rest/export'],
  guarded: true,
  section: 'Exports',
  summary: 'Queue the report of the issues that match a filter as a file',
  parameters: z.object(exportParameters),
  answers: {
    description: 'The id of the queued export.',
    content: { 'application/json': queuedSchema },
    failures: [429],
  },
  answer: async (asked, principal, parts) => answerQueued(await readExport(asked, principal, parts), parts),
});
