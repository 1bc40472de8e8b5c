import { defineRoute } from '../define-route.ts';
import { exportAnswers, exportFile, exportParameters } from '../report/export-file.ts';

/** A report over many issues as a file, at once. */
export const exportStatus = defineRoute({
  methods: ['post'],
  paths: ['/rest/export/status'],
  guarded: true,
  section: 'Exports',
  summary: 'The report of the issues that match a filter as a file',
  parameters: exportParameters,
  answers: exportAnswers,
  answer: exportFile,
});
