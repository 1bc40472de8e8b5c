import type { Issue } from '../model/issue.ts';
import type { CurrentValue } from '../model/table.ts';
import { overlaps } from './overlaps.ts';
import type { MeasureContext, Measured } from './report-type.ts';
import { createTally } from './tally.ts';
import { assigneeSubject, type Subject, statusSubjects, twoLevelColumn } from './value-columns.ts';
import { openVisit, unknownOfAll, visitsOf } from './visits-of.ts';

/** Time per pair of assignee and status; `arrange` says which of the two is the first level. */
export function assigneeByStatus(
  issue: Issue,
  context: MeasureContext,
  arrange: (assignee: Subject, status: Subject) => readonly [Subject, Subject],
): Measured {
  const assignees = visitsOf(issue, 'assignee', context);
  const statuses = visitsOf(issue, 'status', context);
  const tally = createTally();
  const pieces = overlaps(assignees.visits, statuses.visits);
  const columnsOf = ({ first, second }: (typeof pieces)[number]) =>
    second.value === null
      ? []
      : statusSubjects(issue, second.value, context).map((status) =>
          twoLevelColumn(...arrange(assigneeSubject(first.value, context), status), 'duration'),
        );
  for (const piece of pieces) {
    const ms = context.calendar.between(piece.start, piece.end);
    for (const column of columnsOf(piece)) tally.add(column, ms, 1);
  }
  const last = pieces.at(-1);
  const isOpen =
    last !== undefined &&
    last.first === openVisit(assignees.visits) &&
    last.second === openVisit(statuses.visits);
  return {
    ...tally.measured(),
    current: isOpen
      ? columnsOf(last).map(
          ({ id, title }): CurrentValue => ({
            columnId: id,
            title,
            since: last.first.begun && last.second.begun ? last.start : null,
          }),
        )
      : [],
    unknown: unknownOfAll([assignees.visits, statuses.visits], context),
    contradictions: assignees.contradictions + statuses.contradictions,
  };
}
