import type { Calendar } from '../calendar/calendar.ts';
import type { FieldValue } from '../model/issue.ts';
import type { MultiVisitBehavior } from '../model/request.ts';
import type { Visit } from './timeline.ts';

/** What all visits of one value come to: each visit's working milliseconds, in order. */
export interface Measure {
  readonly value: FieldValue;
  readonly durations: readonly number[];
}

/** Visits → one measure per value, in order of first visit. Unknown time and "empty" belong to no value. */
export function measureVisits(visits: readonly Visit[], calendar: Calendar): Measure[] {
  const byId = new Map<string, { value: FieldValue; durations: number[] }>();
  for (const visit of visits) {
    if (visit.value === null) continue;
    const measure = byId.get(visit.value.id) ?? { value: visit.value, durations: [] };
    measure.durations.push(calendar.between(visit.start, visit.end));
    byId.set(visit.value.id, measure);
  }
  return [...byId.values()];
}

/** One figure for several visits: their sum, the first, the last or the arithmetic mean, in milliseconds. */
export function combineVisits(durations: readonly number[], behavior: MultiVisitBehavior): number {
  const total = durations.reduce((sum, ms) => sum + ms, 0);
  switch (behavior) {
    case 'total':
      return total;
    case 'first':
      return durations[0] ?? 0;
    case 'last':
      return durations.at(-1) ?? 0;
    case 'average':
      return durations.length === 0 ? 0 : total / durations.length;
  }
}
