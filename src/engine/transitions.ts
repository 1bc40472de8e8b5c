import type { FieldValue, Instant } from '../model/issue.ts';
import type { Visit } from './timeline.ts';

/** An issue went from one value to another. */
interface Transition {
  readonly from: FieldValue;
  readonly to: FieldValue;
  readonly at: Instant;
}

/** The steps between known visits, in order; nobody knows how an issue came into or out of unknown time. */
export function transitionsOf(visits: readonly Visit[]): Transition[] {
  return visits.flatMap((visit, i) => {
    const before = visits[i - 1];
    if (before === undefined || before.value === null || visit.value === null) return [];
    return [{ from: before.value, to: visit.value, at: visit.start }];
  });
}
