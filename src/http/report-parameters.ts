import { z } from 'zod';
import { viewFormats } from '../formats/duration-text.ts';
import { badRequest } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { type Asker, multiVisitBehaviors, type ReportRequest } from '../model/request.ts';
import { localTime } from './local-time.ts';
import { flag, instant, issueKey, oneOf, words } from './parameter.ts';
import type { HttpParts } from './route.ts';

/** Parameters every report about a single issue takes. */
export const reportParameters = {
  issueKey,
  calendar: z.string().default('normalHours'),
  dayLength: oneOf(['24HourDays', 'businessDays']).default('24HourDays'),
  viewFormat: oneOf(viewFormats).default('minutes'),
  outputType: oneOf(['json', 'jsonSimplified', 'csv']).default('json'),
  trimHistoryStartDate: z.string().optional(),
  trimHistoryEndDate: z.string().optional(),
  fields: words.default([]),
  asOf: instant.optional(),
  // Ignoring it would answer another question than the saved one.
  paramSetId: z
    .string()
    .refine(() => false, { error: 'is not known; allowed: none, no parameter sets are saved' })
    .optional(),
};

/** Parameters of the reports whose columns are statuses. */
export const statusParameters = {
  multiVisitBehavior: oneOf(multiVisitBehaviors).default('total'),
  statuses: words.optional(),
  includeDeletedStatuses: flag.default(false),
};

const shared = z.object(reportParameters);
const byStatus = z.object(statusParameters).partial();

/** The request behind the checked parameters; dates without an offset are read in the tracker server's zone. */
export function readReportRequest(
  parameters: z.output<typeof shared> &
    z.output<typeof byStatus> & { columnsBy: string; historyFields?: string[] },
  asker: Asker,
  { now, timeZone }: HttpParts,
): ReportRequest {
  const { asOf = null } = parameters;
  if (asOf !== null && asOf > now()) {
    throw badRequest(
      `asOf '${new Date(asOf).toISOString()}' lies in the future; allowed: any instant up to now.`,
    );
  }
  return {
    asker,
    reportType: parameters.columnsBy,
    issueKeys: [parameters.issueKey],
    asOf,
    trim: readTrim(parameters.trimHistoryStartDate, parameters.trimHistoryEndDate, timeZone),
    calendar: parameters.calendar,
    statuses: parameters.statuses ?? null,
    includeDeletedStatuses: parameters.includeDeletedStatuses ?? false,
    multiVisitBehavior: parameters.multiVisitBehavior ?? 'total',
    fields: parameters.fields,
    historyFields: parameters.historyFields ?? [],
  };
}

function readTrim(
  start: string | undefined,
  end: string | undefined,
  timeZone: string,
): { from: Instant | null; to: Instant | null } {
  const from = start === undefined ? null : localTime('trimHistoryStartDate', start, timeZone);
  const to = end === undefined ? null : localTime('trimHistoryEndDate', end, timeZone);
  if (from !== null && to !== null && to <= from) {
    throw badRequest(`trimHistoryEndDate '${end}' is not after trimHistoryStartDate '${start}'.`);
  }
  return { from, to };
}
