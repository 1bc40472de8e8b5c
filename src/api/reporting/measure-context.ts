import { isListed } from '../../engine/measure/select-columns.ts';
import type { MeasureContext } from '../../engine/reports/measuring/report-type.ts';
import type { Trim } from '../../engine/visits/timeline.ts';
import type { DelegateTime, DelegateTimes } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import { about, badRequestAs } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { ReportRequest, TimePeriod } from '../../model/request.ts';
import type { QueryContext } from '../../selection/access/query-context.ts';
import { peopleFields } from '../../selection/access/visible-issues.ts';
import { type Period, periodAt } from '../../time/periods.ts';
import type { ResolvedRequest } from './resolve-request.ts';

/**
 * Builds the context of report types. `born`: when the first issue was created; `people`: users by id
 * that the issues may not mention.
 */
export function measureContext(
  request: ReportRequest,
  { timeZone, asOf }: Pick<QueryContext, 'timeZone' | 'asOf'>,
  resolved: ResolvedRequest,
  born: Instant,
  people: ReadonlyMap<string, User> = new Map(),
): MeasureContext {
  const { trim, multiVisitBehavior } = request;
  const { report, calendar, groups, historyFields, statuses, consolidated, metrics, credited } = resolved;
  const { statuses: known, users } = resolved.selection;
  const merged = new Set(consolidated.flatMap((one) => one.statuses));
  const chosen = statuses && new Set(statuses);
  const isThere = (id: string) => request.includeDeletedStatuses || known.get(id)?.deleted !== true;
  return {
    asOf,
    trim,
    calendar,
    timeZone,
    multiVisitBehavior,
    historyFields,
    consolidated,
    metrics,
    // A deleted status counts if the request names it, directly or in a consolidated status.
    countsStatus: (id) => merged.has(id) || (chosen?.has(id) ?? isThere(id)),
    groupsOf: groupsByMember(groups),
    delegateTimes: credited?.times ?? (() => noDelegates),
    periods: report.levels.includes('period')
      ? reportPeriods(born, request.timePeriod, { asOf, trim, timeZone: calendar.timeZone })
      : [],
    nameOf(issue, field, value) {
      if (peopleFields.includes(field)) return users.get(value.id)?.name ?? value.name;
      const status = field === 'status' ? known.get(value.id) : undefined;
      return status?.listed && isListed(issue, known) ? status.name : value.name;
    },
    categoryOf: (id) => known.get(id)?.category ?? 'Undefined',
    userName: (id) => (users.get(id) ?? people.get(id))?.name ?? null,
  };
}

const noDelegates: readonly DelegateTime[] = [];

function groupsByMember(groups: readonly Group[]): MeasureContext['groupsOf'] {
  const byMember = new Map<string, Group[]>();
  for (const group of groups) {
    for (const member of group.members) byMember.set(member, [...(byMember.get(member) ?? []), group]);
  }
  return (user) => byMember.get(user) ?? [];
}

/** Maximum number of periods in a report; the table also grows with the number of issues. */
const MAX_PERIODS = 1000;

/** The adjoining periods from the creation of the first issue until the as-of instant, within the trim window. */
function reportPeriods(
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
    if (periods.length > MAX_PERIODS) {
      const problem = `'${period}' makes more than ${MAX_PERIODS} periods. Try: a longer period, or a window set by trimHistoryStartDate and trimHistoryEndDate.`;
      throw badRequestAs('too-large', about('timePeriod', problem), { value: period, most: MAX_PERIODS });
    }
    at = next.end;
  }
  return periods;
}

/** The people who covered for these assignees (ids), as far as the tracker knows them. */
export async function delegatesFor(
  assignees: ReadonlySet<string>,
  times: DelegateTimes,
  { people }: QueryContext,
): Promise<ReadonlyMap<string, User>> {
  const ids = new Set([...assignees].flatMap((owner) => times(owner).map(({ delegate }) => delegate)));
  return ids.size === 0 ? new Map() : people(ids);
}
