import type { Calendar } from '../../calendar/calendar.ts';
import { buildTable, type Layout } from '../../engine/build-table.ts';
import { isVouched } from '../../engine/is-vouched.ts';
import type { MeasureContext, ReportType } from '../../engine/report-type.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { FieldValue, Instant, Issue, Status } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import { fieldColumns, historyFieldIds } from './field-columns.ts';

/** What a report can draw on. */
export interface ReportSources {
  readonly mirror: Mirror;
  readonly reports: readonly ReportType[];
  readonly calendars: readonly Calendar[];
  readonly timeZone: string;
}

/**
 * A question arrives; issues are selected; their changes become visits; visits are measured under a calendar;
 * measures become a table that says where its figures come from.
 */
export async function runReport(
  request: ReportRequest,
  { mirror, reports, calendars, timeZone }: ReportSources,
  askedAt: Instant,
): Promise<Table> {
  const asOf = request.asOf ?? askedAt;
  const report = choose('columnsBy', request.reportType, reports, (one) => one.id);
  const calendar = choose('calendar', request.calendar, calendars, (one) => one.name);
  const issues = await selectIssues(request.issueKeys, mirror, asOf);
  const statuses = await mirror.statuses();
  const users = await mirror.users(
    issues.flatMap((issue) => issue.changes.flatMap((change) => change.by ?? [])),
  );
  const context: MeasureContext = {
    asOf,
    trim: request.trim,
    calendar,
    multiVisitBehavior: request.multiVisitBehavior,
    historyFields: historyFieldIds(request.historyFields, issues),
    nameOf: (issue: Issue, field: string, value: FieldValue) => {
      const status = field === 'status' ? statuses.get(value.id) : undefined;
      return status?.listed && isVouched(issue, statuses) ? status.name : value.name;
    },
    userName: (id) => users.get(id)?.name ?? id,
  };
  const layout: Layout = {
    fields: fieldColumns(request.fields, issues),
    statuses: request.statuses?.map((id) => knownStatus(id, statuses, issues)) ?? null,
    includeDeletedStatuses: request.includeDeletedStatuses,
    knownStatuses: statuses,
  };
  return {
    ...buildTable(issues, report, context, layout),
    provenance: {
      reportType: report.id,
      calendar: describe(calendar),
      askedAt,
      asOf,
      dataAsOf: await mirror.filledAt(),
      tracker: await mirror.tracker(),
      trim: request.trim,
      timeZone,
      complete: issues.every((issue) => issue.history.complete),
      issues: issues.length,
    },
  };
}

async function selectIssues(keys: readonly string[], mirror: Mirror, asOf: Instant): Promise<Issue[]> {
  const found = await Promise.all(
    keys.map(async (key) => ({ key, issue: await mirror.issue(key.toUpperCase()) })),
  );
  const missing = found.filter(({ issue }) => issue === null || issue.created > asOf);
  if (missing.length > 0) {
    throw new AppError(
      'not-found',
      'The issue could not be found or you do not have permission to view it.',
      missing.map(({ key, issue }) =>
        issue === null
          ? `issueKey '${key}' could not be found.`
          : `issueKey '${key}' did not exist at the asked instant.`,
      ),
    );
  }
  return found.flatMap(({ issue }) => (issue === null ? [] : [issue]));
}

/** A status id that neither the tracker nor an issue knows is the asker's mistake, a name in its place as well. */
function knownStatus(id: string, statuses: ReadonlyMap<string, Status>, issues: readonly Issue[]): string {
  const met = () =>
    issues.some(
      (issue) =>
        issue.status.id === id ||
        issue.changes.some(({ field, from, to }) => field === 'status' && (from?.id === id || to?.id === id)),
    );
  if (statuses.has(id) || met()) return id;
  throw badRequest(`statuses '${id}' is not a status id; allowed: the ids that GET /rest/statuses tells.`);
}

/** Names are matched without regard to case, as clients of the compatible product spell them in several ways. */
function choose<Choice>(
  parameter: string,
  asked: string,
  choices: readonly Choice[],
  nameOf: (choice: Choice) => string,
): Choice {
  const chosen = choices.find((choice) => nameOf(choice).toLowerCase() === asked.toLowerCase());
  if (chosen !== undefined) return chosen;
  throw badRequest(`${parameter} '${asked}' is not known; allowed: ${choices.map(nameOf).join(', ')}.`);
}

function describe({ id, name, timeZone, dailyMs, continuous }: Calendar) {
  return { id, name, timeZone, dailyMs, continuous };
}
