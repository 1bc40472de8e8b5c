import { z } from 'zod';
import { exportParameters, MOST_AT_ONCE, queueParameters } from '../../parameters/report.ts';
import { defineRoute } from '../define-route.ts';
import { answerNow, answerQueued } from '../report/answer-export.ts';
import { readExport } from '../report/read-export.ts';
import { fileContent, queuedSchema } from '../wire/export-schema.ts';

/** A report over many issues as a file: at once while it is small, else queued. */
export const exportStatus = defineRoute({
  methods: ['post'],
  paths: ['/rest/export/status'],
  guarded: true,
  takesLong: true,
  section: 'Exports',
  summary: 'The report of the issues that match a filter as a file, at once or queued',
  parameters: z.object({ ...exportParameters, ...queueParameters }),
  answers: {
    description:
      'The file, under a name with its report and its time; of a queued export the id to ask for it with.',
    content: fileContent(queuedSchema),
    failures: [429],
  },
  async answer(asked, principal, parts) {
    const input = await readExport(asked, principal, parts);
    const queues = asked.async ?? (await parts.exports.count(input)) > MOST_AT_ONCE;
    return queues ? answerQueued(input, parts) : answerNow(input, parts);
  },
});
