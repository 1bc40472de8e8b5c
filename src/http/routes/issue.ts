import { z } from 'zod';
import { columnParameters } from '../../parameters/columns.ts';
import { columnsBy } from '../../parameters/columns-by.ts';
import { issueKey } from '../../parameters/parameter.ts';
import { outputType, reportParameters } from '../../parameters/report.ts';
import { defineRoute } from '../define-route.ts';
import { answerReport } from '../report/answer-report.ts';
import { readReport } from '../report/read-report.ts';
import { reportJson } from '../wire/report-json.ts';
import { reportContent, reportSchema } from '../wire/report-schema.ts';

/** The report of one issue. */
export const issue = defineRoute({
  methods: ['get'],
  paths: ['/rest/issue', '/rest/tis/report/1.0/api/issue'],
  guarded: true,
  section: 'Reports',
  summary: 'The report of one issue',
  parameters: z.object({
    issueKey,
    columnsBy: columnsBy('issue'),
    outputType,
    ...reportParameters,
    ...columnParameters,
  }),
  answers: {
    description: 'The report, with one row.',
    content: reportContent(reportSchema),
    failures: [404],
  },
  async answer(asked, principal, parts) {
    const request = await readReport(asked, 'issue', principal, parts);
    return answerReport(request, asked, parts, reportJson);
  },
});
