import { z } from 'zod';
import { DAY_MS } from '../../formats/duration-text.ts';
import { badRequest } from '../../model/error.ts';
import { defineRoute } from '../define-route.ts';
import { oneOf, words } from '../parameter.ts';
import { readReportRequest, reportParameters } from '../report-parameters.ts';
import { expandedJson } from '../wire/expanded-json.ts';
import { reportReply } from '../wire/report-reply.ts';

/** Every visit of one issue, with its start, end and duration. */
export const issueExpanded = defineRoute({
  method: 'get',
  path: '/rest/issue/expanded',
  guarded: true,
  parameters: z.object({
    ...reportParameters,
    columnsBy: oneOf(['statusDurationExpanded', 'anyFieldDurationExpanded']).default(
      'statusDurationExpanded',
    ),
    historyFields: words.default([]),
  }),
  async answer(parameters, asker, parts) {
    if (parameters.columnsBy === 'anyFieldDurationExpanded' && parameters.historyFields.length === 0) {
      throw badRequest('historyFields is required with columnsBy anyFieldDurationExpanded.');
    }
    const table = await parts.reporting.report(readReportRequest(parameters, asker, parts));
    const { viewFormat, outputType } = parameters;
    const wording = { viewFormat, dayMs: DAY_MS, timeZone: parts.timeZone, formats: parts.formats };
    return reportReply(table, outputType, { wording, version: parts.version }, expandedJson);
  },
});
