import type { ReportType } from '../../engine/report-type.ts';
import type { Group } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { BetweenMetric, ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { Column } from '../../model/table.ts';
import { type Calendar, calendarOf, normalHours } from '../../time/calendar.ts';
import type { CreditedStandIns, DelegationApi } from '../delegation.ts';
import { choose } from '../refusals.ts';
import { refuseMismatch } from '../refuse-mismatch.ts';
import { fieldColumns, historyFieldColumns } from './field-columns.ts';
import type { Scene } from './scene.ts';
import { type Selected, selectFor } from './select-for.ts';

/** A request with nothing wrong left in it: every name has become the thing it names. */
export interface Understood {
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
  readonly credited: CreditedStandIns | null;
}

/** Fails for everything that is wrong with the request, and measures nothing. `chosen`: whose issues were selected before. */
export async function understand(
  request: ReportRequest,
  scene: Scene,
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
): Promise<Understood> {
  const report = choose('columnsBy', request.reportType, reports, (one) => [one.id]);
  refuseMismatch(request, report);
  const definition = chooseCalendar(request.calendar, calendars);
  const calendar = definition.id === null ? normalHours : calendarOf(definition);
  const groups = chooseGroups(request.groups, scene);
  const credited = await creditedTimes(request, delegateTimes);
  const selected = chosen ?? (await selectFor(request, scene));
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
    asOf: scene.asOf,
    credited,
  };
}

/** By id or by name; `normalHour` is how one page of the compatible product spells the built-in one. */
function chooseCalendar(asked: string, calendars: readonly CalendarDefinition[]): CalendarDefinition {
  const wanted = asked.toLowerCase() === 'normalhour' ? 'normalHours' : asked;
  return choose('calendar', wanted, calendars, ({ id, name }) => (id === null ? [name] : [String(id), name]));
}

function chooseGroups(asked: readonly string[] | null, { asker, directory }: Scene): readonly Group[] {
  const { groups } = directory;
  const chosen = asked?.map((one) => {
    const wanted = one.trim().toLowerCase();
    const group =
      groups.find(({ id }) => id.toLowerCase() === wanted) ??
      groups.find(({ name }) => name.toLowerCase() === wanted);
    if (group !== undefined) return group;
    // Who is organised how is not for everybody to list.
    const allowed = asker.admin ? groups.map(({ name }) => name).join(', ') : 'ids and names of groups';
    throw badRequest(`groups '${one}' is not known; allowed: ${allowed || 'none'}.`);
  });
  return chosen === undefined ? groups : [...new Set(chosen)];
}

/** The statuses of a request, checked: an id that neither the tracker nor an issue knows is the asker's mistake. */
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
          `consolidatedStatuses '${one.name}' has no statuses; allowed: one or more status ids.`,
        );
      }
      return { name: one.name, statuses: all('consolidatedStatuses', one.statuses) };
    }),
    metrics: metrics.map((metric): BetweenMetric => {
      if (metric.to.statuses.length === 0) {
        throw badRequest(`dbsMetrics '${metric.name}' has no statuses to stop at; allowed: one or more.`);
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
  if (twice !== undefined) throw badRequest(`${parameter} '${twice}' is named twice; names must differ.`);
}

/** The statuses the asker may know of, and those that issues are or were in. */
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
  throw badRequest(`${parameter} '${id}' is ${what}; allowed: the ids that GET /rest/statuses tells.`);
}

/**
 * Who stood in for whom and when, as far as a request credits them; null where it credits nobody. To be asked once per
 * question, so that all of the answer speaks of the same times. Fails where the asker may not know them, and for a
 * category that does not exist; nobody is asked about where the request credits nobody.
 */
async function creditedTimes(
  { asker, creditDelegates }: Pick<ReportRequest, 'asker' | 'creditDelegates'>,
  delegateTimes: DelegationApi['delegateTimes'],
): Promise<CreditedStandIns | null> {
  if (creditDelegates === null) return null;
  return delegateTimes(asker, creditDelegates.length === 0 ? null : creditDelegates);
}
