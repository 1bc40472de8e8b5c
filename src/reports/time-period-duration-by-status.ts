import type { ReportType } from '../engine/report-type.ts';
import { statusByPeriod } from '../engine/status-by-period.ts';

/** Time per day, week, month, quarter or year, and for each of them per status. */
export const timePeriodDurationByStatus: ReportType = {
  id: 'timePeriodDurationByStatus',
  title: 'Time Period Duration per Status',
  shape: 'issue',
  kind: 'duration',
  levels: ['period', 'status'],
  composite: true,
  measure: (issue, context) => statusByPeriod(issue, context, (status, period) => [period, status]),
};
