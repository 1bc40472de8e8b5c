import { computedFields } from '../../engine/measure/own-cells.ts';
import { consolidatedId } from '../../engine/reports/measuring/report-keys.ts';
import type { ReportType } from '../../engine/reports/measuring/report-type.ts';
import type { Directory, Group } from '../../model/directory.ts';
import { type AppError, about, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { unreadFields } from '../../model/issues/issue-fields.ts';
import type { ConsolidatedStatus, ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { Column } from '../../model/table.ts';
import { nameError } from '../../selection/access/compile-selection.ts';
import type { QueryContext } from '../../selection/access/query-context.ts';
import { type ResolvedSelection, resolveSelection } from '../../selection/access/select-issues.ts';
import { projectCounts } from '../../selection/access/selected-issues.ts';
import { type Calendar, calendarOf, normalHours } from '../../time/calendar.ts';
import type { CreditedDelegates, DelegationApi } from '../delegations/delegation-api.ts';
import { defaultFlow } from '../flows/check-flow.ts';
import type { PageLists } from './load-page.ts';

/** The sources of a report, besides the tracker's issues. */
export interface ReportSources {
  readonly reports: readonly ReportType[];
  readonly calendars: readonly CalendarDefinition[];
  readonly pages: PageLists;
  readonly newId: () => string;
  readonly delegateTimes: DelegationApi['delegateTimes'];
}

/** A valid request, with the objects that its names refer to. */
export interface ResolvedRequest extends StatusChoice {
  readonly report: ReportType;
  readonly definition: CalendarDefinition;
  readonly calendar: Calendar;
  readonly groups: readonly Group[];
  readonly fields: readonly Column[];
  readonly groupBy: readonly Column[];
  readonly historyFields: readonly Column[];
  readonly selection: ResolvedSelection;
  /** The instant as of which issues are selected. */
  readonly asOf: Instant;
  /** Null if delegates are not credited. */
  readonly credited: CreditedDelegates | null;
}

/** Validates a request and resolves its names, without measuring. `before`: the selection, if already made. */
export async function resolveRequest(
  request: ReportRequest,
  queryContext: QueryContext,
  { reports, calendars, delegateTimes }: Pick<ReportSources, 'reports' | 'calendars' | 'delegateTimes'>,
  before?: ResolvedSelection,
): Promise<ResolvedRequest> {
  const { principal, creditDelegates } = request;
  const report = choose('columnsBy', request.reportType, reports, (one) => [one.id]);
  checkReportOptions(request, report, reports);
  const definition = chooseCalendar(request.calendar, calendars);
  const calendar = definition.id === null ? normalHours : calendarOf(definition);
  const groups = chooseGroups(request.groups, queryContext);
  // Requested once per question, so that all figures are based on the same delegations.
  const credited =
    creditDelegates === null
      ? null
      : await delegateTimes(principal, creditDelegates.length === 0 ? null : creditDelegates);
  const selection = before ?? (await resolveSelection(request, queryContext));
  return {
    report,
    definition,
    calendar,
    groups,
    ...(await chooseStatuses(request, selection, queryContext)),
    fields: await fieldColumns('field', request.fields, selection),
    groupBy: await fieldColumns('group', request.groupBy, selection),
    historyFields: await fieldColumns('value', request.historyFields, selection),
    selection,
    asOf: queryContext.asOf,
    credited,
  };
}

/** Fails for options that do not go with the report type, which a hosted service might silently ignore. */
export function checkReportOptions(
  request: ReportRequest,
  report: ReportType,
  reports: readonly ReportType[],
): void {
  const { selection, statistic, metrics, historyFields, creditDelegates } = request;
  if (report.shape === 'visit' && (selection.by !== 'keys' || statistic !== null)) {
    const problem = `'${report.id}' shows the visits of single issues. Try: a report type without Expanded.`;
    throw conflict('columnsBy', problem);
  }
  if (report.kind === 'instant' && statistic !== null) {
    const problem = `'${report.id}' shows dates, which have no ${statistic.type}. Try: a duration or count report.`;
    throw conflict('columnsBy', problem);
  }
  if (report.requires.includes('metrics') && metrics.length === 0) throw missing('dbsMetrics');
  if (creditDelegates !== null && !report.options.includes('creditDelegates')) {
    const given = creditDelegates.join(', ') || 'true';
    const others = reports.filter(({ options }) => options.includes('creditDelegates')).map(({ id }) => id);
    const problem = `'${given}' does not go with columnsBy '${report.id}'. Try: columnsBy ${others.join(' or ')}.`;
    throw conflict('creditDelegates', problem);
  }
  if (report.requires.includes('historyFields') && historyFields.length === 0) throw missing('historyFields');

  function conflict(field: string, problem: string): AppError {
    return badRequestAs('conflicting-values', about(field, problem));
  }

  function missing(field: string): AppError {
    return badRequestAs('missing-value', about(field, `is required with columnsBy ${report.id}.`));
  }
}

/**
 * Chooses a calendar by id or by name; `normalHour` is another spelling of the built-in one in the compatible product.
 */
function chooseCalendar(given: string, calendars: readonly CalendarDefinition[]): CalendarDefinition {
  const wanted = given.toLowerCase() === 'normalhour' ? 'normalHours' : given;
  return choose('calendar', wanted, calendars, ({ id, name }) => (id === null ? [name] : [String(id), name]));
}

function chooseGroups(
  given: readonly string[] | null,
  { principal, directory }: QueryContext,
): readonly Group[] {
  const { groups } = directory;
  const chosen = given?.map((one) => {
    const wanted = one.trim().toLowerCase();
    const group =
      groups.find(({ id }) => id.toLowerCase() === wanted) ??
      groups.find(({ name }) => name.toLowerCase() === wanted);
    if (group !== undefined) return group;
    // Only admins can list all groups.
    const known = groups.map(({ name }) => name);
    const allowed = principal.rights === 'admin' ? known.join(', ') : 'ids and names of groups';
    throw nameError(
      'groups',
      one,
      `is not known${allowed === '' ? '; there are none' : `. Try: ${allowed}`}`,
    );
  });
  return chosen === undefined ? groups : [...new Set(chosen)];
}

/** The statuses of a request, where a request is by stages with these as consolidated statuses. */
interface StatusChoice extends Pick<ReportRequest, 'statuses' | 'metrics'> {
  readonly consolidated: readonly ConsolidatedStatus[];
}

/** Resolves the statuses of a request; fails for one that neither the tracker nor an issue has. */
async function chooseStatuses(
  request: ReportRequest,
  selection: ResolvedSelection,
  queryContext: QueryContext,
): Promise<StatusChoice> {
  const { metrics } = request;
  const isByStages = request.consolidated === 'stages';
  const { statuses, consolidated } = isByStages
    ? await stagesOf(request, selection, queryContext)
    : { statuses: request.statuses, consolidated: request.consolidated };
  const all = (parameter: string, given: readonly string[]) => [
    ...new Set(given.flatMap((one) => statusIds(parameter, one, selection))),
  ];
  assertDistinct('consolidatedStatuses', consolidated);
  assertDistinct('dbsMetrics', metrics);
  const stages = isByStages ? consolidated.map(({ name }) => consolidatedId(name)) : [];
  return {
    statuses: statuses && [...stages, ...statuses.map((id) => statusId('statuses', id, selection))],
    consolidated: consolidated.map((one) => {
      if (one.statuses.length === 0) {
        throw missingStatuses('consolidatedStatuses', one.name, 'statuses. Try: one or more status ids');
      }
      return { ...one, statuses: all('consolidatedStatuses', one.statuses) };
    }),
    metrics: metrics.map(({ name, from, to, pausedIn }) => {
      if (to.statuses.length === 0) {
        throw missingStatuses('dbsMetrics', name, 'statuses to stop at. Try: one or more');
      }
      return {
        name,
        from: { ...from, statuses: all('dbsMetrics', from.statuses) },
        to: { ...to, statuses: all('dbsMetrics', to.statuses) },
        pausedIn: all('dbsMetrics', pausedIn),
      };
    }),
  };
}

/**
 * The stages of the flow of the issues' project as consolidated statuses, and the statuses that no stage has. Fails where
 * the issues are of projects with different flows.
 */
async function stagesOf(
  { statuses }: ReportRequest,
  selection: ResolvedSelection,
  { world, asOf, pace }: QueryContext,
): Promise<Omit<StatusChoice, 'metrics'>> {
  const { flows } = await world();
  const { all } = await selection.choose();
  const projects = [...(await projectCounts(all, { asOf, pace })).keys()].sort();
  const own = new Set(projects.map((project) => flows.all[flows.of(project.toUpperCase(), null).index]));
  const [first = flows.all[0], ...others] = own;
  if (first === undefined || others.length > 0) {
    const problem = `'stages' needs issues of one flow; these are of ${projects.join(', ')}. Try: the issues of one project.`;
    throw badRequestAs('conflicting-values', about('consolidatedStatuses', problem));
  }
  const known = [...selection.statuses.values()];
  // A stage may have statuses that no one uses any more.
  const isKnown = (id: string) => selection.statuses.has(id) || selection.hasStatus(id);
  const { stages } = first.flow ?? defaultFlow(known, first.kindOf);
  const placed = new Set(stages.flatMap((stage) => stage.statuses.map(({ id }) => id)));
  return {
    statuses: statuses ?? known.flatMap(({ id }) => (placed.has(id) || !selection.hasStatus(id) ? [] : [id])),
    consolidated: stages
      .map(({ name, statuses: own }) => ({
        name,
        statuses: own.flatMap(({ id }) => (isKnown(id) ? [id] : [])),
        kind: first.kindOf(own[0]?.id ?? ''),
      }))
      .filter((stage) => stage.statuses.length > 0),
  };
}

function missingStatuses(field: string, value: string, what: string): AppError {
  return badRequestAs('missing-value', about(field, `'${value}' has no ${what}.`), { field, value });
}

function assertDistinct(field: string, all: readonly { readonly name: string }[]): void {
  const value = all.find(({ name }, i) => all.findIndex((one) => one.name === name) !== i)?.name;
  if (value === undefined) return;
  const problem = about(field, `'${value}' is named twice; names must differ.`);
  throw badRequestAs('conflicting-values', problem, { field, value });
}

/** The id of a status, or the ids of all statuses with a name. */
function statusIds(parameter: string, given: string, known: ResolvedSelection): string[] {
  const { statuses } = known;
  const wanted = given.trim().toLowerCase();
  const named = [...statuses.values()].filter(({ name }) => name.toLowerCase() === wanted);
  if (!statuses.has(given) && named.length > 0) return named.map(({ id }) => id);
  return [statusId(parameter, given, known, 'neither the id nor the name of a status')];
}

function statusId(
  parameter: string,
  id: string,
  { statuses, hasStatus }: ResolvedSelection,
  what = 'not a status id',
): string {
  if (statuses.has(id) || hasStatus(id)) return id;
  throw nameError(parameter, id, `is ${what}. Try: the ids of GET /rest/statuses`);
}

/** Titles of the fields that every Jira has; other fields have the name that the tracker gives them, or their id. */
const titles = new Map([
  ...['assignee', 'components', 'created', 'creator', 'description', 'labels', 'parent'].map(capitalized),
  ...['priority', 'project', 'reporter', 'resolution', 'status', 'summary', 'updated'].map(capitalized),
  ...Object.entries({ duedate: 'Due Date', fixVersions: 'Fix Versions', issuetype: 'Issue Type' }),
  ...Object.entries({ resolutiondate: 'Resolved', versions: 'Affects Versions' }),
]);

function capitalized(id: string): [string, string] {
  return [id, `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`];
}

/** The request parameter for the columns of each part. */
const parameters = { field: 'fields', group: 'groupByFields', value: 'historyFields' } as const;

/**
 * The columns of requested fields, which must occur in the issues, in the tracker's list or, for histories, in a
 * change.
 */
async function fieldColumns(
  part: keyof typeof parameters,
  given: readonly string[],
  { fieldsKnown: { contents, changed, kindOf }, directory }: ResolvedSelection,
): Promise<Column[]> {
  if (given.length === 0) return [];
  const more = part === 'value' ? changed : computedFields.map(({ id }) => id);
  // A named field may be in any issue, even if none of these has it.
  const named = directory.fields.map(({ id }) => id);
  const known = [...contents, ...more, ...titles.keys(), ...named];
  const columns: Column[] = [];
  for (const id of resolveFields(parameters[part], given, known, directory)) {
    if (part === 'field' && id === 'summary') continue;
    const computed = computedFields.find((field) => field.id === id);
    const title = computed?.title ?? titleOf(id, directory);
    const kind = computed?.kind ?? (await kindOf(id));
    if (kind === 'unsupported') {
      const problem = 'holds values of a kind that is not supported. Try: another field';
      throw nameError(parameters[part], id, problem);
    }
    if (unreadFields.includes(id) && !contents.has(id)) {
      throw nameError(parameters[part], id, 'is not read from Jira. Try: another field');
    }
    columns.push({ id, title, kind: part === 'value' ? 'duration' : kind, part });
  }
  return columns;
}

function titleOf(id: string, { fields }: Directory): string {
  return titles.get(id) ?? fields.find((field) => field.id === id)?.name ?? id;
}

/** Resolves fields by id or title, each once; fails for a field that none of the issues can have. */
function resolveFields(
  parameter: string,
  given: readonly string[],
  known: readonly string[],
  directory: Directory,
): string[] {
  const ids = [...new Set(known)];
  const byId = new Map(ids.map((id) => [id.toLowerCase(), id]));
  let byTitle: ReadonlyMap<string, readonly string[]> | null = null;
  const chosen = given.map((field) => {
    const id = byId.get(field.toLowerCase());
    if (id !== undefined) return id;
    byTitle ??= Map.groupBy(ids, (one) => titleOf(one, directory).toLowerCase());
    const [only, ...others] = byTitle.get(field.toLowerCase()) ?? [];
    if (only !== undefined && others.length === 0) return only;
    if (only !== undefined) {
      const problem = 'is the name of several fields. Try: one of the ids';
      throw nameError(parameter, field, problem, [only, ...others]);
    }
    const allowed = ids.toSorted().join(', ');
    throw nameError(parameter, field, `is not a field of these issues. Try: ${allowed}`);
  });
  return [...new Set(chosen)];
}

/** Chooses by name, without regard to case, since clients of the compatible product spell names in several ways. */
export function choose<Choice>(
  parameter: string,
  given: string,
  choices: readonly Choice[],
  namesOf: (choice: Choice) => readonly string[],
): Choice {
  const wanted = given.trim().toLowerCase();
  const foldedNames = (choice: Choice) => namesOf(choice).map((name) => name.toLowerCase());
  // The first name of a choice is unique; it takes precedence over other names.
  const chosen =
    choices.find((choice) => foldedNames(choice)[0] === wanted) ??
    choices.find((choice) => foldedNames(choice).includes(wanted));
  if (chosen !== undefined) return chosen;
  const allowed = choices.map((choice) => [...new Set(namesOf(choice))].join(' or ')).join(', ');
  const problem = `'${given}' is not known${allowed === '' ? '; there are none' : `. Try: ${allowed}`}.`;
  const data = { value: given, known: choices.map((choice) => namesOf(choice)[0] ?? '') };
  throw badRequestAs('unknown-name', about(parameter, problem), data);
}
