import { assigneeByStatus } from '../engine/assignee-by-status.ts';
import type { ReportType } from '../engine/report-type.ts';

/** Time per person, and for each person per status. */
export const statusDurationByAssignee: ReportType = {
  id: 'statusDurationByAssignee',
  title: 'Status Duration per Assignee',
  shape: 'issue',
  kind: 'duration',
  levels: ['user', 'status'],
  composite: true,
  measure: (issue, context) => assigneeByStatus(issue, context, (assignee, status) => [assignee, status]),
};
