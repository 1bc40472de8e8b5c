import type { ReportType } from '../../engine/report-type.ts';
import type { Group } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { Column } from '../../model/table.ts';
import { type Calendar, calendarOf, normalHours } from '../../time/calendar.ts';
import type { CreditedStandIns, DelegationApi } from '../delegation.ts';
import { refuseMismatch } from '../refuse-mismatch.ts';
import { choose } from './choose.ts';
import { type ChosenStatuses, chosenStatuses } from './chosen-statuses.ts';
import { creditedTimes } from './credited-delegates.ts';
import { fieldColumns, historyFieldColumns } from './field-columns.ts';
import type { Scene } from './scene.ts';
import { type Selected, selectFor } from './select-for.ts';
import { findInTurns } from './yielding-loops.ts';

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
  const { candidates, fieldsOf, directory } = selected;
  return findInTurns(() => ({
    report,
    definition,
    calendar,
    groups,
    statuses: chosenStatuses(request, selected.statuses, candidates),
    fields: fieldColumns('field', request.fields, fieldsOf, directory),
    groupBy: fieldColumns('group', request.groupBy, fieldsOf, directory),
    historyFields: historyFieldColumns(request.historyFields, fieldsOf, directory),
    selected,
    credited,
  }));
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
