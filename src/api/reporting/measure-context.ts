import type { MeasureContext } from '../../engine/report-type.ts';
import { isVouched } from '../../engine/select-columns.ts';
import type { Trim } from '../../engine/timeline.ts';
import type { DelegateTime, DelegateTimes } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { ReportRequest, TimePeriod } from '../../model/request.ts';
import { type Period, periodAt } from '../../time/periods.ts';
import type { Scene } from './scene.ts';
import { peopleFields } from './seen-issues.ts';
import type { Understood } from './understand.ts';

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
  { timeZone }: Scene,
  { report, calendar, groups, historyFields, statuses, selected, credited }: Understood,
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
        `timePeriod '${period}' makes more than ${MOST_PERIODS} periods; allowed: a longer period, or a window set by trimHistoryStartDate and trimHistoryEndDate.`,
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
  { people }: Pick<Scene, 'people'>,
): Promise<ReadonlyMap<string, User>> {
  const ids = new Set<string>();
  for (const owner of assignees) for (const { delegate } of times(owner)) ids.add(delegate);
  return ids.size === 0 ? new Map() : people(ids);
}
