import type { FieldValue } from '../model/issue.ts';
import type { MultiVisitBehavior } from '../model/request.ts';
import type { Calendar } from '../time/calendar.ts';
import type { Visit } from './timeline.ts';

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
 * unknown time (`gap`) could hide the visit meant, or a part of it; a sum is that of what is known.
 */
export function combineVisits(
  { durations, visits }: Measure,
  behavior: MultiVisitBehavior,
  gap: Visit | null,
): number | null {
  const [first, last] = [visits[0], visits.at(-1)];
  switch (behavior) {
    case 'total':
      return sum(durations);
    case 'first':
      return gap !== null && (first === undefined || gap.start <= first.start || gap.start === first.end)
        ? null
        : (durations[0] ?? null);
    case 'last':
      return gap !== null && (last === undefined || !last.begun || gap.start >= last.end)
        ? null
        : (durations.at(-1) ?? null);
    case 'average':
      return gap !== null || durations.length === 0 ? null : sum(durations) / durations.length;
  }
}

function sum(durations: readonly number[]): number {
  let total = 0;
  for (const ms of durations) total += ms;
  return total;
}
