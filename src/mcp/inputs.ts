import type { z } from 'zod';
import { columnParameters, columnsBy, type ReportShape } from '../api/parameters/columns.ts';
import { text, wholeNumber } from '../api/parameters/parameter.ts';
import {
  DEFAULT_CALENDAR,
  listParameters,
  reportParameters,
  requestOfReport,
} from '../api/parameters/report.ts';
import { reportOf } from '../api/parameters/saved-report.ts';
import { readSelection, selectionParameters } from '../api/parameters/selection.ts';
import { about, badRequestAs } from '../model/error.ts';
import { reportIds } from '../model/report-ids.ts';
import type { Page, ReportRequest, Selection } from '../model/request.ts';
import type { ToolContext } from './tool.ts';

/** Parameters of REST with descriptions of as few words as assistants need. */
function described<Parameters extends Readonly<Record<string, z.ZodType>>>(
  parameters: Parameters,
  descriptions: Readonly<Record<keyof Parameters, string>>,
): Parameters {
  const named = Object.entries(parameters).map(([name, parameter]) => [
    name,
    parameter.meta({ ...parameter.meta(), description: descriptions[name] }),
  ]);
  return Object.fromEntries(named);
}

const { startDate, endDate, dateRangeField, user } = selectionParameters;

/** The inputs of a time in which something happened to the issues of a list. */
export const dateParameters = described(
  { startDate, endDate, dateRangeField },
  {
    startDate:
      'Issues whose dateRangeField is not before: yyyy-MM-dd or yyyy-MM-dd HH:mm, time zone of the user.',
    endDate: 'Issues whose dateRangeField is before; a date without a time includes its day.',
    dateRangeField: 'The date that startDate and endDate are about.',
  },
);

/** The inputs that choose issues: exactly one of these. */
export const filterParameters = {
  project: text.optional().meta({ description: 'Issues of a project: its key.' }),
  jql: text.optional().meta({ description: 'JQL, such as: project = WEB AND finished >= -30d.' }),
  sprint: text.optional().meta({ description: 'Issues of a sprint: its id.' }),
  savedFilter: text.optional().meta({ description: 'Issues of a saved filter: its id.' }),
  user: user.meta({ description: 'Issues that are, or ever were, assigned to a user id.' }),
};

type FilterInput = { readonly [Name in keyof typeof filterParameters]?: string | undefined };

const filterTypes = {
  project: 'project',
  jql: 'customjql',
  sprint: 'sprint',
  savedFilter: 'jqlfilter',
  user: 'user',
} as const;

const filterNames = ['project', 'jql', 'sprint', 'savedFilter', 'user'] as const;

/** The inputs of tools by the parameters of REST that choose issues. */
export const ownNames: Readonly<Record<string, string>> = {
  projectKey: 'project',
  customjql: 'jql',
  sprintID: 'sprint',
  jqlFilterID: 'savedFilter',
};

/** The issues that are meant; null where no filter is given. */
export function readFilterIfAny(input: FilterInput): Selection | null {
  const [name, second] = filterNames.filter((one) => input[one] !== undefined);
  if (name === undefined) return null;
  if (second !== undefined) {
    throw badRequestAs(
      'conflicting-values',
      about(second, `cannot be used with ${name}. Try: one of them, or both in jql.`),
    );
  }
  return readSelection({
    filterType: filterTypes[name],
    projectKey: input.project,
    customjql: input.jql,
    sprintID: input.sprint,
    jqlFilterID: input.savedFilter,
    user: input.user,
  });
}

/** The issues that are meant; no filter at all is refused. */
export function readIssueFilter(input: FilterInput): Selection {
  const selection = readFilterIfAny(input);
  if (selection !== null) return selection;
  throw badRequestAs(
    'missing-value',
    about('project', `or another filter is required. Try: one of ${filterNames.join(', ')}.`),
  );
}

const { asOf, fields, historyFields } = reportParameters;
const { trimHistoryStartDate, trimHistoryEndDate, viewFormat } = reportParameters;
const { visitCounts: _counts, includeTransitionedByColumns: _columns, ...columns } = columnParameters;
const { groupByFields } = listParameters;

/** The inputs of measuring and showing time; their defaults are those of Slack. */
export const measureParameters = {
  calendar: text.default(DEFAULT_CALENDAR).meta({
    description: 'Id or name of the working calendar; normalHours is 24/7.',
  }),
  dayLength: reportParameters.dayLength.unwrap().default('businessDays').meta({
    description: 'A day in texts: 24 hours, or a working day of the calendar (their mean).',
  }),
  asOf: asOf.meta({ description: 'Answer as of this instant, not in the future: ISO 8601 with an offset.' }),
};

/** The inputs of every report over an issue. */
export const historyParameters = {
  ...measureParameters,
  ...described(
    { trimHistoryStartDate, trimHistoryEndDate, fields, historyFields },
    {
      trimHistoryStartDate:
        'Only history from then on counts: yyyy-MM-dd or yyyy-MM-dd HH:mm, time zone of the user.',
      trimHistoryEndDate: 'Only history before then counts; without a time: 00:00.',
      fields: 'Ids of fields to show as well.',
      historyFields: 'With the any-field reports: ids of the fields.',
    },
  ),
};

/** The further inputs of reports over issues. */
export const issueParameters = {
  columnsBy: columnsBy('issue').default(reportIds.statusDuration),
  ...historyParameters,
  ...described(columns, {
    statuses:
      'Ids of statuses: columns in this order; in reports by assignee or group, only time in these counts.',
    consolidatedStatuses:
      'Columns that add up statuses, ids or names: [{"name":"Active","statuses":["3","4"]}]; or stages: those of the flow.',
    includeDeletedStatuses: 'Include statuses that were deleted in the tracker.',
    multiVisitBehavior: 'With statusDuration: visits that count.',
    groups: 'With groupDuration: ids or names of user groups; none: all.',
    timePeriod: 'With reports per time period: its length.',
    dbsMetrics:
      'With durationBetweenStatuses: [{"name":…,"startAt":…,"stopAt":…,"pauseAt":…}] of points {"ids":["3"]}, {"value":"Doing","visitType":"first"} or {"type":"issueCreation"}. visitType: first for startAt, last for stopAt unless given.',
    creditDelegates:
      'With assigneeDuration: time covered for an assignee in columns of its own. Categories by name or id, the first that covers it counting; true: all, general first.',
  }),
};

/** The inputs of lists, statistics and files. */
export const reportInputs = {
  ...filterParameters,
  ...dateParameters,
  ...described(
    { groupByFields },
    {
      groupByFields:
        'Ids of fields; each combination of their values is a group, and an issue with several values is in one for each.',
    },
  ),
  ...issueParameters,
};

/** The unit of the durations in a file. */
export const fileUnit = { viewFormat };

/** The place within a list that is shown in parts. */
export const listPaging = {
  startIndex: wholeNumber(0, 1_000_000)
    .default(0)
    .meta({ description: 'Index of the first entry to show, from 0; the answer gives the next one.' }),
  pageSize: wholeNumber(1, 100).default(25).meta({ description: 'Maximum number of entries.' }),
};

/** The request behind checked arguments. */
export function readRequest(
  input: Parameters<typeof reportOf>[0],
  shape: ReportShape['shape'],
  selection: Selection,
  context: Pick<ToolContext, 'principal' | 'reporting' | 'now'>,
  page: Page | null = null,
): Promise<ReportRequest> {
  return requestOfReport(reportOf(input), shape, () => selection, context, page);
}
