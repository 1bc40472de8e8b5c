import { defineRoute } from '../define-route.ts';
import { exportAnswers, exportFile, exportParameters } from '../report/export-file.ts';

/** The same file under the path that existing clients call, with GET as well. */
export const smallExport = defineRoute({
  methods: ['get', 'post'],
  paths: ['/rest/smallexport'],
  guarded: true,
  section: 'Exports',
  summary: 'The report of the issues that match a filter as a file',
  parameters: exportParameters,
  answers: exportAnswers,
  answer: exportFile,
});
