import { combineVisits, measureVisits } from '../engine/measure-visits.ts';
import type { ReportType } from '../engine/report-type.ts';
import { createTally } from '../engine/tally.ts';
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
    const gap = visits.find((visit) => !visit.known) ?? null;
    const tally = createTally();
    for (const measure of measureVisits(visits, context.calendar)) {
      const amount = combineVisits(measure, context.multiVisitBehavior, gap);
      // A consolidated status is the sum of its members, whatever each of them comes to.
      for (const subject of statusSubjects(issue, measure.value, context)) {
        const column = columnOf(subject, 'duration');
        if (amount === null) tally.meet(column);
        else tally.add(column, amount, measure.durations.length);
      }
    }
    return {
      ...tally.measured(),
      current: currentStatus(issue, visits, context),
      unknown: unknownOf(visits, context),
      contradictions,
    };
  },
};
