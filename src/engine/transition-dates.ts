import type { FieldValue, Instant, Issue } from '../model/issue.ts';
import type { Cell } from '../model/table.ts';
import type { MeasureContext, Measured, ValueColumn } from './report-type.ts';
import type { Visit } from './timeline.ts';
import { columnOf, statusSubjects } from './value-columns.ts';
import { sinceOf, unknownOf, visitsOf } from './visits-of.ts';

/** Something that happened to a status: it was entered, or left; `at` is null where nobody knows when. */
interface StatusEvent {
  readonly value: FieldValue;
  readonly at: Instant | null;
}

/** Every entry into a status; being created in one enters it, and so does coming into a trim window in one. */
export function entries(visits: readonly Visit[]): StatusEvent[] {
  return visits.flatMap((visit) =>
    visit.value === null ? [] : [{ value: visit.value, at: sinceOf(visit) }],
  );
}

/**
 * Every exit from a status: another visit follows. The end of a trim window is no exit. Of a status that was left with
 * the very change with which known time begins again nothing is known but that.
 */
export function exits(visits: readonly Visit[]): StatusEvent[] {
  return visits.flatMap(({ value, known, end }, i) => {
    const next = visits[i + 1];
    if (next === undefined) return [];
    if (!known) return next.cameFrom === undefined ? [] : [{ value: next.cameFrom, at: end }];
    return value === null ? [] : [{ value, at: next.known ? end : null }];
  });
}

/** The first or the last of the events per status as an instant; none where a cut history does not tell. */
export function transitionDates(
  issue: Issue,
  context: MeasureContext,
  events: (visits: readonly Visit[]) => readonly StatusEvent[],
  which: 'first' | 'last',
): Measured {
  const { visits, contradictions } = visitsOf(issue, 'status', context);
  const gap = visits.find((visit) => !visit.known);
  // Another event may hide in unknown time before the first one known, or after the last.
  const hidden = (at: Instant) =>
    gap !== undefined && (which === 'first' ? gap.start < at : gap.end > at || gap.open);
  const all = events(visits);
  const columns = new Map<string, ValueColumn>();
  const cells: Record<string, Cell> = {};
  for (const event of which === 'first' ? all : all.toReversed()) {
    for (const subject of statusSubjects(issue, event.value, context)) {
      if (columns.has(subject.id)) continue;
      columns.set(subject.id, columnOf(subject, 'instant'));
      if (event.at !== null && !hidden(event.at)) cells[subject.id] = { value: event.at };
    }
  }
  return {
    columns: [...columns.values()],
    lines: [cells],
    current: [],
    unknown: unknownOf(visits, context),
    contradictions,
  };
}
