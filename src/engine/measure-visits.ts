import type { Calendar } from '../calendar/calendar.ts';
import type { FieldValue } from '../model/issue.ts';
import type { MultiVisitBehavior } from '../model/request.ts';
import type { Visit } from './timeline.ts';
import type { Subject } from './value-columns.ts';

/** What all visits that count for one subject come to: each visit's working milliseconds, in order. */
export interface Measure {
  readonly subject: Subject;
  readonly durations: readonly number[];
}

/** Visits → one measure per subject, in order of first visit. Unknown time counts for none. */
export function measureVisits(
  visits: readonly Visit[],
  calendar: Calendar,
  subjectsOf: (value: FieldValue | null) => readonly Subject[],
): Measure[] {
  const byId = new Map<string, { subject: Subject; durations: number[] }>();
  for (const visit of visits) {
    if (!visit.known) continue;
    const subjects = subjectsOf(visit.value);
    if (subjects.length === 0) continue;
    const ms = calendar.between(visit.start, visit.end);
    for (const subject of subjects) {
      const measure = byId.get(subject.id);
      if (measure === undefined) byId.set(subject.id, { subject, durations: [ms] });
      else measure.durations.push(ms);
    }
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
