import type { ReportType } from '../measure/report-type.ts';
import {
  columnOf,
  createTally,
  currentStatus,
  statusSubjects,
  unknownOf,
  visitsOf,
} from '../measure/value-columns.ts';

/** How many times each status was entered; being created in a status enters it. */
export const statusCount: ReportType = {
  id: 'statusCount',
  title: 'Status Count',
  shape: 'issue',
  kind: 'count',
  levels: ['status'],
  composite: false,
  columns: { kernel: 'status', counts: 'visits' },
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const tally = createTally();
    for (const { value } of visits) {
      if (value === null) continue;
      for (const subject of statusSubjects(issue, value, context))
        tally.add(columnOf(subject, 'count'), 1, 1);
    }
    return {
      ...tally.measured(),
      current: currentStatus(issue, visits, context),
      unknown: unknownOf(visits, context),
      contradictions,
    };
  },
};
