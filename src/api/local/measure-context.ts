import { isVouched } from '../../engine/is-vouched.ts';
import type { MeasureContext } from '../../engine/report-type.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import { reportPeriods } from './report-periods.ts';
import type { Scene } from './scene.ts';
import type { Understood } from './understand.ts';

/** What the report types are handed, for these issues as of this instant. */
export function measureContext(
  request: ReportRequest,
  { statuses: known, users, timeZone }: Scene,
  { report, calendar, groups, historyFields, statuses }: Understood,
  { issues, asOf }: { readonly issues: readonly Issue[]; readonly asOf: Instant },
): MeasureContext {
  const { trim } = request;
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
    countsStatus: (id) => counted === null || counted.has(id),
    groups,
    periods: report.levels.includes('period')
      ? reportPeriods(issues, request.timePeriod, { asOf, trim, timeZone: calendar.timeZone })
      : [],
    metrics: statuses.metrics,
    nameOf(issue, field, value) {
      const status = field === 'status' ? known.get(value.id) : undefined;
      return status?.listed && isVouched(issue, known) ? status.name : value.name;
    },
    categoryOf: (id) => known.get(id)?.category ?? 'Undefined',
    userName: (id) => users.get(id)?.name ?? null,
  };
}
