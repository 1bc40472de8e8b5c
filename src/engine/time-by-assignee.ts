import type { FieldValue, Issue } from '../model/issue.ts';
import { overlaps } from './overlaps.ts';
import type { MeasureContext, Measured } from './report-type.ts';
import { createTally } from './tally.ts';
import type { Visit } from './timeline.ts';
import { columnOf, type Subject } from './value-columns.ts';
import { openVisit, sinceOf, unknownOfAll, visitsOf } from './visits-of.ts';

/**
 * The time an issue was with whom, told per subject an assignee counts for: themselves, or the groups they are in.
 * Time the issue spent in statuses that were not selected is left out.
 */
export function timeByAssignee(
  issue: Issue,
  context: MeasureContext,
  subjectsOf: (assignee: FieldValue | null) => readonly Subject[],
): Measured {
  const assignees = visitsOf(issue, 'assignee', context);
  const statuses = visitsOf(issue, 'status', context);
  const tally = createTally();
  let counted: Visit | null = null;
  for (const { first, second, start, end } of overlaps(assignees.visits, statuses.visits)) {
    if (second.value === null || !context.countsStatus(issue, second.value.id)) continue;
    for (const subject of subjectsOf(first.value)) {
      const column = columnOf(subject, 'duration');
      tally.add(column, context.calendar.between(start, end), first === counted ? 0 : 1);
    }
    counted = first;
  }
  const last = openVisit(assignees.visits);
  const now = last === null ? [] : subjectsOf(last.value);
  return {
    ...tally.measured(),
    statuses: statuses.visits.flatMap(({ value }) => value ?? []),
    current: now.map(({ id, title }) => ({ columnId: id, title, since: last && sinceOf(last) })),
    unknown: unknownOfAll([assignees.visits, statuses.visits], context),
    contradictions: assignees.contradictions,
  };
}
