import { assigneeByStatus } from '../engine/assignee-by-status.ts';
import type { ReportType } from '../engine/report-type.ts';

/** Time per status, and for each status per person. */
export const assigneeDurationByStatus: ReportType = {
  id: 'assigneeDurationByStatus',
  title: 'Assignee Duration per Status',
  shape: 'issue',
  kind: 'duration',
  levels: ['status', 'user'],
  composite: true,
  measure: (issue, context) => assigneeByStatus(issue, context, (assignee, status) => [status, assignee]),
};
