import type { MeasureContext, ReportType } from '../../engine/report-type.ts';
import { isVouched } from '../../engine/select-columns.ts';
import type { Trim } from '../../engine/timeline.ts';
import type { DelegateTime, DelegateTimes } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import { about, badRequest } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { BetweenMetric, ReportRequest, TimePeriod } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { Column } from '../../model/table.ts';
import { type Calendar, calendarOf, normalHours } from '../../time/calendar.ts';
import { type Period, periodAt } from '../../time/periods.ts';
import type { CreditedDelegates, DelegationApi } from '../delegations/delegation-api.ts';
import { choose } from '../refusals.ts';
import { fieldColumns, historyFieldColumns } from './field-columns.ts';
import type { QueryContext } from './query-context.ts';
import { refuseMismatch } from './refuse-mismatch.ts';
import { peopleFields } from './seen-issues.ts';
import { type Selected, selectFor } from './select-for.ts';

/** A request with nothing wrong left in it: every name has become the thing it names. */
export interface ResolvedRequest {
  readonly report: ReportType;
  readonly definition: CalendarDefinition;
  readonly calendar: Calendar;
  readonly groups: readonly Group[];
  readonly statuses: ChosenStatuses;
  readonly fields: readonly Column[];
  readonly groupBy: readonly Column[];
  readonly historyFields: readonly Column[];
  readonly selected: Selected;
  /** The instant as of which these are selected. */
  readonly asOf: Instant;
  /** Null where all time is the assignee's. */
  readonly credited: CreditedDelegates | null;
}

/** Fails for everything that is wrong with the request, and measures nothing. `chosen`: whose issues were selected before. */
export async function resolveRequest(
  request: ReportRequest,
  queryContext: QueryContext,
  {
    reports,
    calendars,
    delegateTimes,
  }: {
    readonly reports: readonly ReportType[];
    readonly calendars: readonly CalendarDefinition[];
    readonly delegateTimes: DelegationApi['delegateTimes'];
  },
  chosen?: Selected,
): Promise<ResolvedRequest> {
  const report = choose('columnsBy', request.reportType, reports, (one) => [one.id]);
  refuseMismatch(request, report);
  const definition = chooseCalendar(request.calendar, calendars);
  const calendar = definition.id === null ? normalHours : calendarOf(definition);
  const groups = chooseGroups(request.groups, queryContext);
  const credited = await creditedTimes(request, delegateTimes);
  const selected = chosen ?? (await selectFor(request, queryContext));
  const { fieldsKnown, directory } = selected;
  return {
    report,
    definition,
    calendar,
    groups,
    statuses: chosenStatuses(request, selected),
    fields: await fieldColumns('field', request.fields, fieldsKnown, directory),
    groupBy: await fieldColumns('group', request.groupBy, fieldsKnown, directory),
    historyFields: historyFieldColumns(request.historyFields, fieldsKnown, directory),
    selected,
    asOf: queryContext.asOf,
    credited,
  };
}

/** By id or by name; `normalHour` is how one page of the compatible product spells the built-in one. */
function chooseCalendar(asked: string, calendars: readonly CalendarDefinition[]): CalendarDefinition {
  const wanted = asked.toLowerCase() === 'normalhour' ? 'normalHours' : asked;
  return choose('calendar', wanted, calendars, ({ id, name }) => (id === null ? [name] : [String(id), name]));
}

function chooseGroups(
  asked: readonly string[] | null,
  { principal, directory }: QueryContext,
): readonly Group[] {
  const { groups } = directory;
  const chosen = asked?.map((one) => {
    const wanted = one.trim().toLowerCase();
    const group =
      groups.find(({ id }) => id.toLowerCase() === wanted) ??
      groups.find(({ name }) => name.toLowerCase() === wanted);
    if (group !== undefined) return group;
    // Who is organised how is not for everybody to list.
    const allowed =
      principal.rights === 'admin' ? groups.map(({ name }) => name).join(', ') : 'ids and names of groups';
    throw badRequest(about('groups', `'${one}' is not known; allowed: ${allowed || 'none'}.`));
  });
  return chosen === undefined ? groups : [...new Set(chosen)];
}

/** The statuses of a request, checked: an id that neither the tracker nor an issue knows is the principal's mistake. */
interface ChosenStatuses extends Pick<ReportRequest, 'statuses' | 'consolidated' | 'metrics'> {}

function chosenStatuses(
  { statuses, consolidated, metrics }: ReportRequest,
  known: KnownStatuses,
): ChosenStatuses {
  const idsOf = (parameter: string, asked: string) => resolve(parameter, asked, known);
  const all = (parameter: string, asked: readonly string[]) => [
    ...new Set(asked.flatMap((one) => idsOf(parameter, one))),
  ];
  const names = consolidated.map((one) => one.name);
  refuseTwice('consolidatedStatuses', names);
  refuseTwice(
    'dbsMetrics',
    metrics.map((metric) => metric.name),
  );
  return {
    statuses: statuses === null ? null : statuses.flatMap((id) => byId('statuses', id, known)),
    consolidated: consolidated.map((one) => {
      if (one.statuses.length === 0) {
        throw badRequest(
          about('consolidatedStatuses', `'${one.name}' has no statuses; allowed: one or more status ids.`),
        );
      }
      return { name: one.name, statuses: all('consolidatedStatuses', one.statuses) };
    }),
    metrics: metrics.map((metric): BetweenMetric => {
      if (metric.to.statuses.length === 0) {
        throw badRequest(
          about('dbsMetrics', `'${metric.name}' has no statuses to stop at; allowed: one or more.`),
        );
      }
      return {
        name: metric.name,
        from: { ...metric.from, statuses: all('dbsMetrics', metric.from.statuses) },
        to: { ...metric.to, statuses: all('dbsMetrics', metric.to.statuses) },
        pausedIn: all('dbsMetrics', metric.pausedIn),
      };
    }),
  };
}

function refuseTwice(parameter: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw badRequest(about(parameter, `'${twice}' is named twice; names must differ.`));
}

/** The statuses the principal may know of, and those that issues are or were in. */
type KnownStatuses = Pick<Selected, 'statuses' | 'hasStatus'>;

/** A status by id, or all those a name stands for. */
function resolve(parameter: string, asked: string, known: KnownStatuses): string[] {
  const { statuses } = known;
  const wanted = asked.trim().toLowerCase();
  const named = [...statuses.values()].filter(({ name }) => name.toLowerCase() === wanted);
  if (!statuses.has(asked) && named.length > 0) return named.map(({ id }) => id);
  return byId(parameter, asked, known, 'neither the id nor the name of a status');
}

function byId(
  parameter: string,
  id: string,
  { statuses, hasStatus }: KnownStatuses,
  what = 'not a status id',
): string[] {
  if (statuses.has(id) || hasStatus(id)) return [id];
  throw badRequest(about(parameter, `'${id}' is ${what}; allowed: the ids that GET /rest/statuses tells.`));
}

/**
 * Who stood in for whom and when, as far as a request credits them; null where it credits nobody. To be asked once per
 * question, so that all of the answer speaks of the same times. Fails where the principal may not know them, and for a
 * category that does not exist; nobody is asked about where the request credits nobody.
 */
async function creditedTimes(
  { principal, creditDelegates }: Pick<ReportRequest, 'principal' | 'creditDelegates'>,
  delegateTimes: DelegationApi['delegateTimes'],
): Promise<CreditedDelegates | null> {
  if (creditDelegates === null) return null;
  return delegateTimes(principal, creditDelegates.length === 0 ? null : creditDelegates);
}

/** What is measured. `delegates` are people of whom no issue need tell. */
interface Measuring {
  /** When the first of the issues was created, `asOf` at the latest. */
  readonly born: Instant;
  readonly asOf: Instant;
  readonly delegates: ReadonlyMap<string, User>;
}

/** What the report types are handed, for these issues as of this instant. */
export function measureContext(
  request: ReportRequest,
  { timeZone }: QueryContext,
  { report, calendar, groups, historyFields, statuses, selected, credited }: ResolvedRequest,
  { born, asOf, delegates }: Measuring,
): MeasureContext {
  const { trim } = request;
  const { statuses: known, users } = selected;
  const merged = statuses.consolidated.flatMap((one) => one.statuses);
  const counted = statuses.statuses === null ? null : new Set([...statuses.statuses, ...merged]);
  return {
    asOf,
    trim,
    calendar,
    timeZone,
    multiVisitBehavior: request.multiVisitBehavior,
    historyFields,
    consolidated: statuses.consolidated,
    countsStatus: (issue, id) =>
      counted === null
        ? request.includeDeletedStatuses || !known.get(id)?.deleted || !isVouched(issue, known)
        : counted.has(id),
    groupsOf: groupsByMember(groups),
    delegateTimes: credited?.times ?? (() => nobody),
    periods: report.levels.includes('period')
      ? reportPeriods(born, request.timePeriod, { asOf, trim, timeZone: calendar.timeZone })
      : [],
    metrics: statuses.metrics,
    nameOf(issue, field, value) {
      if (peopleFields.includes(field)) return users.get(value.id)?.name ?? value.name;
      const status = field === 'status' ? known.get(value.id) : undefined;
      return status?.listed && isVouched(issue, known) ? status.name : value.name;
    },
    categoryOf: (id) => known.get(id)?.category ?? 'Undefined',
    userName: (id) => (users.get(id) ?? delegates.get(id))?.name ?? null,
  };
}

const nobody: readonly DelegateTime[] = [];

function groupsByMember(groups: readonly Group[]): MeasureContext['groupsOf'] {
  const byMember = new Map<string, Group[]>();
  for (const group of groups) {
    for (const member of group.members) byMember.set(member, [...(byMember.get(member) ?? []), group]);
  }
  return (user) => byMember.get(user) ?? [];
}

/** A wider table helps nobody, and grows with the number of issues as well. */
const MOST_PERIODS = 1000;

/** All periods, adjoining, in which issues lived since the first was born, as far as the trim window shows it. */
export function reportPeriods(
  born: Instant,
  period: TimePeriod,
  { asOf, trim, timeZone }: { readonly asOf: Instant; readonly trim: Trim; readonly timeZone: string },
): Period[] {
  const from = Math.max(born, trim.from ?? born);
  const until = Math.min(asOf, trim.to ?? asOf);
  const periods: Period[] = [];
  for (let at = from; at <= until || periods.length === 0; ) {
    const next = periodAt(at, period, timeZone);
    periods.push(next);
    if (periods.length > MOST_PERIODS) {
      throw badRequest(
        about(
          'timePeriod',
          `'${period}' makes more than ${MOST_PERIODS} periods; allowed: a longer period, or a window set by trimHistoryStartDate and trimHistoryEndDate.`,
        ),
      );
    }
    at = next.end;
  }
  return periods;
}

/** Who stood in for these assignees (ids), as far as the tracker knows them; no issue need mention them. */
export async function delegatesFor(
  assignees: Iterable<string>,
  times: DelegateTimes,
  { people }: Pick<QueryContext, 'people'>,
): Promise<ReadonlyMap<string, User>> {
  const ids = new Set<string>();
  for (const owner of assignees) for (const { delegate } of times(owner)) ids.add(delegate);
  return ids.size === 0 ? new Map() : people(ids);
}
