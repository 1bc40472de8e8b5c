import type { ReportType } from '../engine/report-type.ts';
import { timeByAssignee } from '../engine/time-by-assignee.ts';
import { assigneeSubject } from '../engine/value-columns.ts';

/** Time with each person: one column per assignee, and one for the time without any. */
export const assigneeDuration: ReportType = {
  id: 'assigneeDuration',
  title: 'Assignee Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['user'],
  composite: false,
  measure: (issue, context) =>
    timeByAssignee(issue, context, (assignee) => [assigneeSubject(assignee, context)]),
};
