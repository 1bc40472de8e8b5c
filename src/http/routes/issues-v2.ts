import { z } from 'zod';
import { listParameters, outputType, tokenPaging } from '../../parameters/report.ts';
import { defineRoute } from '../define-route.ts';
import { answerReport } from '../report/answer-report.ts';
import { readReport } from '../report/read-report.ts';
import { listJson } from '../wire/report-json.ts';
import { listSchema, reportContent } from '../wire/report-schema.ts';

/** The report of a list of issues, in pages that open one another. */
export const issuesV2 = defineRoute({
  methods: ['get', 'post'],
  paths: ['/rest/issues/v2', '/rest/list2', '/rest/tis/report/1.0/api/list2'],
  guarded: true,
  takesLong: true,
  section: 'Reports',
  summary: 'The report of the issues that match a filter, in pages by token, grouped if asked so',
  parameters: z.object({ ...listParameters, ...tokenPaging, outputType }),
  answers: {
    description:
      'One page of the report, with a row per issue. Of CSV the header X-Next-Page-Token holds the token of the next page.',
    content: reportContent(listSchema),
  },
  async answer(asked, principal, parts) {
    const page = { by: 'token', token: asked.nextPageToken ?? null, size: asked.pageSize } as const;
    const request = await readReport(asked, 'issue', principal, parts, page);
    return answerReport(request, asked, parts, listJson);
  },
});
