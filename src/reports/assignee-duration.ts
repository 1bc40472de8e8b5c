import { overlaps } from '../engine/overlaps.ts';
import type { MeasureContext, ReportType } from '../engine/report-type.ts';
import { createTally } from '../engine/tally.ts';
import type { Visit } from '../engine/timeline.ts';
import { assigneeSubject, columnOf } from '../engine/value-columns.ts';
import { openVisit, sinceOf, unknownOfAll, visitsOf } from '../engine/visits-of.ts';

/**
 * Time with each person: one column per assignee, and one for the time without any. Time the issue spent in statuses
 * that were not selected is left out.
 */
export const assigneeDuration: ReportType = {
  id: 'assigneeDuration',
  title: 'Assignee Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['user'],
  composite: false,
  measure(issue, context) {
    const assignees = visitsOf(issue, 'assignee', context);
    const statuses = visitsOf(issue, 'status', context);
    const tally = createTally();
    let counted: Visit | null = null;
    for (const { first, second, start, end } of overlaps(assignees.visits, statuses.visits)) {
      if (second.value === null || !context.countsStatus(second.value.id)) continue;
      const column = columnOf(assigneeSubject(first.value, context), 'duration');
      tally.add(column, context.calendar.between(start, end), first === counted ? 0 : 1);
      counted = first;
    }
    return {
      ...tally.measured(),
      statuses: statuses.visits.flatMap(({ value }) => value ?? []),
      current: currentAssignee(assignees.visits, context),
      unknown: unknownOfAll([assignees.visits, statuses.visits], context),
      contradictions: assignees.contradictions,
    };
  },
};

function currentAssignee(visits: readonly Visit[], context: MeasureContext) {
  const last = openVisit(visits);
  if (last === null) return [];
  const { id, title } = assigneeSubject(last.value, context);
  return [{ columnId: id, title, since: sinceOf(last) }];
}
