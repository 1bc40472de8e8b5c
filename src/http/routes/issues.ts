import { z } from 'zod';
import { indexPaging, listParameters, outputType } from '../../parameters/report.ts';
import { defineRoute } from '../define-route.ts';
import { answerReport } from '../report/answer-report.ts';
import { readReport } from '../report/read-report.ts';
import { indexedListJson } from '../wire/report-json.ts';
import { indexedListSchema, reportContent } from '../wire/report-schema.ts';

/** The report of a list of issues, in pages by index. */
export const issues = defineRoute({
  methods: ['get', 'post'],
  paths: ['/rest/issues', '/rest/list', '/rest/tis/report/1.0/api/list'],
  guarded: true,
  takesLong: true,
  section: 'Reports',
  summary: 'The report of the issues that match a filter, in pages by index',
  parameters: z.object({ ...listParameters, ...indexPaging, outputType }),
  answers: {
    description: 'One page of the report, with a row per issue.',
    content: reportContent(indexedListSchema),
  },
  async answer(asked, principal, parts) {
    const page = { by: 'index', start: asked.startIssueIndex, size: asked.pageSize } as const;
    const request = await readReport(asked, 'issue', principal, parts, page);
    return answerReport(request, asked, parts, indexedListJson);
  },
});
