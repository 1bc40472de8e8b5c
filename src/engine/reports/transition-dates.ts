import type { Instant, Issue } from '../../model/issue.ts';
import type { Cell } from '../../model/table.ts';
import type { MeasureContext, Measured, ReportType, ValueColumn } from '../measure/report-type.ts';
import { exitsFrom, type StatusEvent, type Visit } from '../measure/timeline.ts';
import { columnOf, sinceOf, statusSubjects, unknownOf, visitsOf } from '../measure/value-columns.ts';

/** The date of the first entry into each status. */
export const firstTransitionToStatusDate: ReportType = {
  id: 'firstTransitionToStatusDate',
  title: 'First Transition To Status Date',
  shape: 'issue',
  kind: 'instant',
  levels: ['status'],
  composite: false,
  measure: (issue, context) => transitionDates(issue, context, entries, 'first'),
};

/** The date of the last entry into each status. */
export const lastTransitionToStatusDate: ReportType = {
  id: 'lastTransitionToStatusDate',
  title: 'Last Transition To Status Date',
  shape: 'issue',
  kind: 'instant',
  levels: ['status'],
  composite: false,
  measure: (issue, context) => transitionDates(issue, context, entries, 'last'),
};

/** The date of the first exit from each status. */
export const firstTransitionFromStatusDate: ReportType = {
  id: 'firstTransitionFromStatusDate',
  title: 'First Transition From Status Date',
  shape: 'issue',
  kind: 'instant',
  levels: ['status'],
  composite: false,
  measure: (issue, context) => transitionDates(issue, context, exitsFrom, 'first'),
};

/** The date of the last exit from each status. */
export const lastTransitionFromStatusDate: ReportType = {
  id: 'lastTransitionFromStatusDate',
  title: 'Last Transition From Status Date',
  shape: 'issue',
  kind: 'instant',
  levels: ['status'],
  composite: false,
  measure: (issue, context) => transitionDates(issue, context, exitsFrom, 'last'),
};

/** Every entry into a status; being created in one enters it, and so does coming into a trim window in one. */
function entries(visits: readonly Visit[]): StatusEvent[] {
  return visits.flatMap((visit) =>
    visit.value === null ? [] : [{ value: visit.value, at: sinceOf(visit) }],
  );
}

/** The first or the last of the events per status as an instant; none where a cut history does not tell. */
function transitionDates(
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
