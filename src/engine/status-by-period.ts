import type { Issue } from '../model/issue.ts';
import type { CurrentValue } from '../model/table.ts';
import { cutByPeriods } from './cut-by-periods.ts';
import type { MeasureContext, Measured } from './report-type.ts';
import { createTally } from './tally.ts';
import { type Subject, statusSubjects, twoLevelColumn } from './value-columns.ts';
import { openVisit, sinceOf, unknownOf, visitsOf } from './visits-of.ts';

/**
 * Time per pair of status and time period of the calendar's zone; `arrange` says which of the two is the first level.
 * A visit over several periods counts as one visit in each of them.
 */
export function statusByPeriod(
  issue: Issue,
  context: MeasureContext,
  arrange: (status: Subject, period: Subject) => readonly [Subject, Subject],
): Measured {
  const { visits, contradictions } = visitsOf(issue, 'status', context);
  const tally = createTally();
  let current: CurrentValue[] = [];
  const open = openVisit(visits);
  for (const visit of visits) {
    if (visit.value === null) continue;
    const subjects = statusSubjects(issue, visit.value, context);
    for (const { period, start, end } of cutByPeriods(visit.start, visit.end, context.periods)) {
      const ms = context.calendar.between(start, end);
      const columns = subjects.map((status) => twoLevelColumn(...arrange(status, period), 'duration'));
      for (const column of columns) tally.add(column, ms, 1);
      if (visit === open) {
        current = columns.map(({ id, title }) => ({ columnId: id, title, since: sinceOf(visit) }));
      }
    }
  }
  return { ...tally.measured(), current, unknown: unknownOf(visits, context), contradictions };
}
