import { overlaps } from '../engine/overlaps.ts';
import type { ReportType } from '../engine/report-type.ts';
import { createTally } from '../engine/tally.ts';
import type { Visit } from '../engine/timeline.ts';
import { columnOf } from '../engine/value-columns.ts';
import { openVisit, sinceOf, unknownOfAll, visitsOf } from '../engine/visits-of.ts';

/**
 * Time with each group of users: the times of its members together. Somebody in several groups counts for each of
 * them; who belongs to a group is told as of now. Status selection works as in the report by assignee.
 */
export const groupDuration: ReportType = {
  id: 'groupDuration',
  title: 'Group Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['group'],
  composite: false,
  measure(issue, context) {
    const assignees = visitsOf(issue, 'assignee', context);
    const statuses = visitsOf(issue, 'status', context);
    const groupsOf = ({ value }: Visit) => (value === null ? [] : context.groupsOf(value.id));
    const tally = createTally();
    let counted: Visit | null = null;
    for (const { first, second, start, end } of overlaps(assignees.visits, statuses.visits)) {
      if (second.value === null || !context.countsStatus(second.value.id)) continue;
      for (const { id, name } of groupsOf(first)) {
        const column = columnOf({ id, title: name }, 'duration');
        tally.add(column, context.calendar.between(start, end), first === counted ? 0 : 1);
      }
      counted = first;
    }
    const last = openVisit(assignees.visits);
    return {
      ...tally.measured(),
      statuses: statuses.visits.flatMap(({ value }) => value ?? []),
      current:
        last === null
          ? []
          : groupsOf(last).map(({ id, name }) => ({ columnId: id, title: name, since: sinceOf(last) })),
      unknown: unknownOfAll([assignees.visits, statuses.visits], context),
      contradictions: assignees.contradictions,
    };
  },
};
