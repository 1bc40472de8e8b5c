import type { ReportType } from '../engine/report-type.ts';
import { statusVisitColumns, visitLines } from '../engine/visit-lines.ts';

/** The whole way of an issue through its statuses: one line per visit. */
export const statusDurationExpanded: ReportType = {
  id: 'statusDurationExpanded',
  title: 'Status History Expanded',
  shape: 'visit',
  kind: 'duration',
  levels: ['status'],
  composite: false,
  measure: (issue, context) => visitLines(issue, ['status'], context, statusVisitColumns),
};
