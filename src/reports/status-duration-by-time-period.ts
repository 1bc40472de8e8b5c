import type { ReportType } from '../engine/report-type.ts';
import { statusByPeriod } from '../engine/status-by-period.ts';

/** Time per status, and for each status per day, week, month, quarter or year. */
export const statusDurationByTimePeriod: ReportType = {
  id: 'statusDurationByTimePeriod',
  title: 'Status Duration per Time Period',
  shape: 'issue',
  kind: 'duration',
  levels: ['status', 'period'],
  composite: true,
  measure: (issue, context) => statusByPeriod(issue, context, (status, period) => [status, period]),
};
