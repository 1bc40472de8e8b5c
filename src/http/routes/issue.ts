import { z } from 'zod';
import { DAY_MS } from '../../formats/duration-text.ts';
import { defineRoute } from '../define-route.ts';
import { oneOf } from '../parameter.ts';
import { readReportRequest, reportParameters, statusParameters } from '../report-parameters.ts';
import { reportJson } from '../wire/report-json.ts';
import { reportReply } from '../wire/report-reply.ts';

/** The report of one issue. */
export const issue = defineRoute({
  method: 'get',
  path: '/rest/issue',
  guarded: true,
  parameters: z.object({ ...reportParameters, ...statusParameters, columnsBy: oneOf(['statusDuration']) }),
  async answer(parameters, asker, parts) {
    const table = await parts.reporting.report(readReportRequest(parameters, asker, parts));
    const { viewFormat, dayLength, outputType } = parameters;
    const dayMs = dayLength === 'businessDays' ? table.provenance.calendar.dailyMs : DAY_MS;
    const wording = { viewFormat, dayMs, timeZone: parts.timeZone, formats: parts.formats };
    return reportReply(table, outputType, { wording, version: parts.version }, reportJson);
  },
});
