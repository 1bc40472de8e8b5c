import { combineVisits, measureVisits } from '../engine/measure-visits.ts';
import type { ReportType } from '../engine/report-type.ts';
import { columnOf, statusSubjects } from '../engine/value-columns.ts';
import { currentStatus, unknownOf, visitsOf } from '../engine/visits-of.ts';

/** Time in status: one column per status the issue has met, its working time there and the number of visits. */
export const statusDuration: ReportType = {
  id: 'statusDuration',
  title: 'Status Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['status'],
  composite: false,
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const measures = measureVisits(visits, context.calendar, (value) =>
      value === null ? [] : statusSubjects(issue, value, context),
    );
    return {
      columns: measures.map(({ subject }) => columnOf(subject, 'duration')),
      lines: [
        Object.fromEntries(
          measures.map(({ subject, durations }) => [
            subject.id,
            { value: combineVisits(durations, context.multiVisitBehavior), visits: durations.length },
          ]),
        ),
      ],
      current: currentStatus(issue, visits, context),
      unknown: unknownOf(visits, context),
      contradictions,
    };
  },
};
