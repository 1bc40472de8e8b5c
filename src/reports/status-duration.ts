import { combineVisits, measureVisits } from '../engine/measure-visits.ts';
import type { ReportType } from '../engine/report-type.ts';
import { currentOf, unknownOf, visitsOf } from '../engine/visits-of.ts';
import type { Cell } from '../model/table.ts';

/** Time in status: one column per status the issue has met, its working time there and the number of visits. */
export const statusDuration: ReportType = {
  id: 'statusDuration',
  title: 'Status Duration',
  shape: 'issue',
  byStatus: true,
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const measures = measureVisits(visits, context.calendar);
    const cells = measures.map(({ value, durations }): [string, Cell] => [
      value.id,
      { value: combineVisits(durations, context.multiVisitBehavior), visits: durations.length },
    ]);
    return {
      columns: measures.map(({ value }) => ({
        id: value.id,
        title: context.nameOf(issue, 'status', value),
        kind: 'duration',
        part: 'value',
      })),
      lines: [Object.fromEntries(cells)],
      current: currentOf(issue, visits, 'status', context),
      unknown: unknownOf(visits, context),
      contradictions,
    };
  },
};
