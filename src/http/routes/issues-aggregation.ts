import { z } from 'zod';
import { listParameters, outputType, statisticParameters } from '../../parameters/report.ts';
import { defineRoute } from '../define-route.ts';
import { answerReport } from '../report/answer-report.ts';
import { readReport } from '../report/read-report.ts';
import { aggregationJson } from '../wire/report-json.ts';
import { aggregationSchema, reportContent } from '../wire/report-schema.ts';

/** All matching issues condensed to one row, or to one per group. */
export const issuesAggregation = defineRoute({
  methods: ['get', 'post'],
  paths: ['/rest/issues/aggregation', '/rest/aggregation', '/rest/tis/report/1.0/api/aggregation'],
  guarded: true,
  takesLong: true,
  section: 'Reports',
  summary: 'One figure per column over all issues that match a filter, or over each group of them',
  parameters: z.object({ ...listParameters, ...statisticParameters, outputType }),
  answers: {
    description: 'One row, or one per group.',
    content: reportContent(aggregationSchema),
  },
  async answer(asked, principal, parts) {
    const request = await readReport(asked, 'issue', principal, parts);
    return answerReport(request, asked, parts, aggregationJson);
  },
});
