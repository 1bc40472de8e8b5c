import { z } from 'zod';
import { exportParameters } from '../../parameters/report.ts';
import { defineRoute } from '../define-route.ts';
import { answerNow } from '../report/answer-export.ts';
import { readExport } from '../report/read-export.ts';
import { fileContent } from '../wire/export-schema.ts';

/** The same file at once, whatever its size, under the path that existing clients call. */
export const smallExport = defineRoute({
  methods: ['get', 'post'],
  paths: ['/rest/smallexport'],
  guarded: true,
  takesLong: true,
  section: 'Exports',
  summary: 'The report of the issues that match a filter as a file, at once',
  parameters: z.object(exportParameters),
  answers: {
    description: 'The file, under a name with its report and its time.',
    content: fileContent(),
  },
  answer: async (asked, principal, parts) => answerNow(await readExport(asked, principal, parts), parts),
});
