import { z } from 'zod';
import { columnsBy } from '../../parameters/columns-by.ts';
import { issueKey } from '../../parameters/parameter.ts';
import { outputType, reportParameters } from '../../parameters/report.ts';
import { defineRoute } from '../define-route.ts';
import { answerReport } from '../report/answer-report.ts';
import { readReport } from '../report/read-report.ts';
import { expandedJson } from '../wire/expanded-json.ts';
import { expandedSchema } from '../wire/expanded-schema.ts';
import { reportContent } from '../wire/report-schema.ts';

/** Every visit of one issue, with its start, end and duration. */
export const issueExpanded = defineRoute({
  methods: ['get'],
  paths: ['/rest/issue/expanded'],
  guarded: true,
  section: 'Reports',
  summary: 'Every visit of one issue to a status, or to a value of any field',
  parameters: z.object({
    issueKey,
    columnsBy: columnsBy('visit').default('statusDurationExpanded'),
    outputType,
    ...reportParameters,
  }),
  answers: {
    description: 'The visits. In JSON durations are milliseconds, whatever the unit asked for.',
    content: reportContent(expandedSchema),
    failures: [404],
  },
  async answer(asked, principal, parts) {
    const request = await readReport(asked, 'visit', principal, parts);
    return answerReport(request, asked, parts, expandedJson);
  },
});
