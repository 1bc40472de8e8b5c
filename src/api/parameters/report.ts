import type { z } from 'zod';
import { type ExportType, exportTypes } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import {
  aggregationTypes,
  ask,
  defaultStatistic,
  type Page,
  type Principal,
  type ReportRequest,
  type Selection,
  type Statistic,
} from '../../model/request.ts';
import { viewFormats } from '../../output/readable-text.ts';
import { patternProblem } from '../../time/date-text.ts';
import { chooseReportType, columnParameters, columnsBy, type ReportShape } from './columns.ts';
import { readWindow, windowParameters } from './dates.ts';
import { decimalNumber, flag, notHere, oneOf, text, wholeNumber, words } from './parameter.ts';
import { readDateRange, selectionParameters } from './selection.ts';

const pattern = text.refine((given) => patternProblem(given) === null, {
  error: ({ input }) => patternProblem(String(input)) ?? undefined,
});

/** Names the default calendar, whichever it is. */
export const DEFAULT_CALENDAR = 'default';

/** The parameters of figures and dates as text. */
const wordingParameters = {
  viewFormat: oneOf(viewFormats).default('minutes').meta({ description: 'The unit of durations.' }),
  dayLength: oneOf(['24HourDays', 'businessDays'], { calendarDays: '24HourDays' })
    .default('24HourDays')
    .meta({
      description:
        'How long a day is where durations are in days: 24 hours, or a working day of the calendar (of normalHours 24 hours). A calendar whose working days differ in length allows 24HourDays only.',
    }),
  dateFormat: pattern.optional().meta({
    description: 'Java date pattern for dates; without it the one of /rest/formatSettings.',
    examples: ['dd/MMM/yy'],
  }),
  dateTimeFormat: pattern.optional().meta({
    description: 'Java date pattern for dates with a time; without it the one of /rest/formatSettings.',
    examples: ['dd/MMM/yy h:mm a'],
  }),
};

/** The checked parameters of the wording. */
export type WordingInput = z.output<z.ZodObject<typeof wordingParameters>>;

/** Parameters of every report. */
export const reportParameters = {
  paramSetId: text.optional().meta({
    description:
      'Id of a parameter set: its parameters are taken where the request does not name them itself.',
  }),
  calendar: text.default('normalHours').meta({
    description:
      'Id or name of the working calendar. normalHours is 24/7; default is the default calendar, as in Slack.',
  }),
  fields: words.default([]).meta({ description: 'Ids of fields to show as further columns.' }),
  historyFields: words
    .default([])
    .meta({ description: 'With the any-field reports: ids of the fields whose history is reported.' }),
  ...windowParameters,
  ...wordingParameters,
};

/** The form of a report's answer. Screens of the compatible product call the full one a list of tables. */
export const outputType = oneOf(['json', 'jsonSimplified', 'csv'], { tableList: 'json', table: 'json' })
  .default('json')
  .meta({
    description:
      'The form of the answer; jsonSimplified is one flat object per line. Without it the header Accept decides.',
    enum: ['json', 'jsonSimplified', 'csv', 'tableList', 'table', 'JSON', 'CSV'],
  });

/** The checked parameters of every report. */
export type ReportInput = z.output<z.ZodObject<typeof reportParameters>>;
/** The form of an answer, checked. */
export type OutputType = z.output<typeof outputType>;

/** Parameters of every report over many issues. */
export const listParameters = {
  columnsBy: columnsBy('issue'),
  ...selectionParameters,
  groupByFields: words.default([]).meta({
    description:
      'Ids of fields; each distinct combination of their values is a group. In an aggregation, an issue with several values in a field (sprints, labels, components) is in the group of each value; the newest sprint comes first. In lists the rows of a group are together, and an issue is there once.',
  }),
  ...reportParameters,
  ...columnParameters,
};

/** Variants of the statistics. */
const figureParameters = {
  averageDenominator: oneOf(['nonNull', 'all'], { allIssues: 'all' }).default('nonNull').meta({
    description:
      'What an average and a standard deviation divide by: the issues with a value in the column, or all of them, one without a value counting as zero.',
  }),
  stddevType: oneOf(['population', 'sample'])
    .default('population')
    .meta({ description: 'Kind of standard deviation.' }),
};

/** The statistic of an aggregation. */
export const statisticParameters = {
  aggregationType: oneOf(aggregationTypes).meta({
    description: 'The statistic. percentile is an extension of ours.',
    examples: ['median'],
  }),
  percentile: decimalNumber(0, 100)
    .default(85)
    .meta({ description: 'With aggregationType percentile: the percentile, such as 85.' }),
  ...figureParameters,
};

const pageSize = wholeNumber(1, 1000)
  .default(100)
  .meta({ description: 'Maximum number of issues per page.' });

/** Pages by the index of their first issue. */
export const indexPaging = {
  pageSize,
  startIssueIndex: wholeNumber(0, 1_000_000_000)
    .default(0)
    .meta({ description: 'Index of the first issue of the page, counted from 0.' }),
  nextPageToken: notHere('belongs to /rest/issues/v2. Try: startIssueIndex'),
};

/** Pages by the token of the page before. */
export const tokenPaging = {
  pageSize,
  nextPageToken: text.optional().meta({
    description: 'nextPageToken of the previous page; leave out for the first page.',
  }),
  startIssueIndex: notHere('belongs to /rest/issues. Try: nextPageToken'),
};

/** Parameters of an export that are about the file alone. */
export const fileParameters = {
  byteOrderMark: flag.default(false).meta({
    description: 'With a CSV type: begin with a byte order mark, by which older Excel knows UTF-8.',
  }),
  withProvenance: flag.default(false).meta({
    description:
      'With a CSV type: answer a ZIP of the CSV and one that says where its figures come from. The other types always do.',
  }),
};

/** Parameters of an export: those of a list, and the kind of file. */
export const exportParameters = {
  ...listParameters,
  ...figureParameters,
  outputType: oneOf(exportTypes).meta({
    description:
      'XLSX and XLS: a workbook of the list and its statistics; JSON: the same; CSV: the list; the others: one statistic over all issues or over each group.',
    examples: ['XLSX'],
    // Reports have csv in small letters.
    enum: [...exportTypes, ...exportTypes.map((type) => type.toLowerCase())],
  }),
  ...fileParameters,
};

/** Issues up to which a file is answered at once by default: clients and proxies wait for a minute. */
export const MAX_AT_ONCE = 20_000;

/** The parameter that says whether an export is queued. */
export const queueParameters = {
  async: flag.optional().meta({
    description: `true: queue the export, whatever its size; false: answer with the file, whatever its size. Without it up to ${MAX_AT_ONCE.toLocaleString('en-US')} issues are answered at once, and more are queued.`,
  }),
};

/** The checked parameters of an export. */
export type ExportParameters = z.output<z.ZodObject<typeof exportParameters>>;

export function isCsv(type: ExportType): boolean {
  return type.startsWith('CSV');
}

/** The context of a request for a report. */
interface RequestContext {
  readonly principal: Principal;
  readonly reporting: {
    readonly reportTypes: readonly ReportShape[];
    timeZoneOf(principal: Principal): Promise<string>;
  };
  readonly now: () => Instant;
}

/**
 * The request for a report: dates are read in the zone of the principal, and missing members get their defaults.
 * `selection` fails without a choice of issues.
 */
export async function requestOfReport(
  { reportType = '', range, trim, statistic, asOf, ...report }: SavedReport,
  shape: ReportShape['shape'],
  selection: () => Selection,
  { principal, reporting, now }: RequestContext,
  page: Page | null = null,
): Promise<ReportRequest> {
  const timeZone = await reporting.timeZoneOf(principal);
  const window = { trimHistoryStartDate: trim?.from, trimHistoryEndDate: trim?.to, asOf };
  // A moving range is part of the query.
  const { field = 'created', from, to } = range === undefined || 'when' in range ? {} : range;
  const { issueKey: _issueKey, look: _look, others: _others, ...request } = report;
  return ask({
    ...request,
    principal,
    reportType: chooseReportType(reportType, shape, reporting.reportTypes),
    ...readWindow(window, { now: now(), timeZone }),
    selection: selection(),
    dateRange: readDateRange({ dateRangeField: field, startDate: from, endDate: to }, timeZone),
    statistic: statisticOf(statistic),
    page,
  });
}

function statisticOf({ type, ...variant }: NonNullable<SavedReport['statistic']> = {}): Statistic | null {
  return type === undefined ? null : { ...defaultStatistic, ...variant, type };
}
