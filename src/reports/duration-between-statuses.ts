import { betweenStatuses } from '../engine/between-statuses.ts';
import type { ReportType } from '../engine/report-type.ts';
import { columnOf } from '../engine/value-columns.ts';
import { unknownOf, visitsOf } from '../engine/visits-of.ts';

/** Time from one status to another: one column per metric the asker defines, with the state of its clock. */
export const durationBetweenStatuses: ReportType = {
  id: 'durationBetweenStatuses',
  title: 'Duration Between Statuses',
  shape: 'issue',
  kind: 'duration',
  levels: ['metric'],
  composite: false,
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const results = context.metrics.map((metric) => ({
      id: metric.name,
      ...betweenStatuses(visits, metric, context.calendar),
    }));
    return {
      columns: results.map(({ id }) => columnOf({ id, title: id }, 'duration')),
      lines: [
        Object.fromEntries(results.flatMap(({ id, ms }) => (ms === null ? [] : [[id, { value: ms }]]))),
      ],
      current: [],
      unknown: unknownOf(visits, context),
      contradictions,
      states: Object.fromEntries(results.map(({ id, state }) => [id, state])),
    };
  },
};
