import type { ReportType } from '../engine/report-type.ts';
import { timeByAssignee } from '../engine/time-by-assignee.ts';

/**
 * Time with each group of users: the times of its members together. Somebody in several groups counts for each of
 * them; who belongs to a group is told as of now.
 */
export const groupDuration: ReportType = {
  id: 'groupDuration',
  title: 'Group Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['group'],
  composite: false,
  measure: (issue, context) =>
    timeByAssignee(issue, context, (assignee) =>
      assignee === null ? [] : context.groupsOf(assignee.id).map(({ id, name }) => ({ id, title: name })),
    ),
};
