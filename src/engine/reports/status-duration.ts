import type { FieldValue } from '../../model/issue.ts';
import type { MultiVisitBehavior } from '../../model/request.ts';
import type { Calendar } from '../../time/calendar.ts';
import type { ReportType } from '../measure/report-type.ts';
import type { Visit } from '../measure/timeline.ts';
import {
  columnOf,
  createTally,
  currentStatus,
  statusSubjects,
  unknownOf,
  visitsOf,
} from '../measure/value-columns.ts';

/** Time in status: one column per status the issue has met, its working time there and the number of visits. */
export const statusDuration: ReportType = {
  id: 'statusDuration',
  title: 'Status Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['status'],
  composite: false,
  columns: { kernel: 'status', counts: 'time' },
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const tally = createTally();
    for (const measure of measureVisits(visits, context.calendar)) {
      const amount = combineVisits(measure, context.multiVisitBehavior, visits);
      // A consolidated status is the sum of its members, whatever each of them comes to.
      for (const subject of statusSubjects(issue, measure.value, context)) {
        const column = columnOf(subject, 'duration');
        if (amount === null) tally.observe(column);
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

/** What all visits of one value come to: each visit's working milliseconds, in order, and the visits themselves. */
interface Measure {
  readonly value: FieldValue;
  readonly durations: readonly number[];
  readonly visits: readonly Visit[];
}

/** Visits → one measure per value, in order of first visit. Unknown time and "empty" belong to no value. */
export function measureVisits(visits: readonly Visit[], calendar: Calendar): Measure[] {
  const byId = new Map<string, { value: FieldValue; durations: number[]; visits: Visit[] }>();
  for (const visit of visits) {
    const { value } = visit;
    if (value === null) continue;
    const ms = calendar.between(visit.start, visit.end);
    const measure = byId.get(value.id);
    if (measure === undefined) byId.set(value.id, { value, durations: [ms], visits: [visit] });
    else {
      measure.durations.push(ms);
      measure.visits.push(visit);
    }
  }
  return [...byId.values()];
}

/**
 * One figure for several visits: their sum, the first, the last or the arithmetic mean, in milliseconds. Null where
 * unknown time among `all` visits could hide the visit meant, or a part of it; a sum is that of what is known.
 */
function combineVisits(
  { durations, visits }: Measure,
  behavior: MultiVisitBehavior,
  all: readonly Visit[],
): number | null {
  const [first, last] = [visits[0], visits.at(-1)];
  const gap = all.findIndex((visit) => !visit.known);
  if (first === undefined || last === undefined) return null;
  switch (behavior) {
    case 'total':
      return sum(durations);
    case 'first':
      // The visit that unknown time follows may go on in it.
      return gap !== -1 && gap <= all.indexOf(first) + 1 ? null : (durations[0] ?? null);
    case 'last':
      return gap !== -1 && (!last.begun || gap > all.indexOf(last)) ? null : (durations.at(-1) ?? null);
    case 'average':
      return gap !== -1 ? null : sum(durations) / durations.length;
  }
}

function sum(durations: readonly number[]): number {
  let total = 0;
  for (const ms of durations) total += ms;
  return total;
}
