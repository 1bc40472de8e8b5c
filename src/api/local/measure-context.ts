import type { MeasureContext } from '../../engine/report-type.ts';
import { isVouched } from '../../engine/select-columns.ts';
import type { DelegateTime } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import type { Instant, Issue, User } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import { reportPeriods } from './report-periods.ts';
import type { Scene } from './scene.ts';
import type { Understood } from './understand.ts';

/** Fields that hold a person, who may have another name today. */
const peopleFields: readonly string[] = ['assignee', 'reporter', 'creator'];

/** What is measured. `delegates` are people of whom no issue need tell. */
interface Measuring {
  readonly issues: readonly Issue[];
  readonly asOf: Instant;
  readonly delegates: ReadonlyMap<string, User>;
}

/** What the report types are handed, for these issues as of this instant. */
export function measureContext(
  request: ReportRequest,
  { timeZone }: Scene,
  { report, calendar, groups, historyFields, statuses, selected, credited }: Understood,
  { issues, asOf, delegates }: Measuring,
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
      ? reportPeriods(issues, request.timePeriod, { asOf, trim, timeZone: calendar.timeZone })
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
