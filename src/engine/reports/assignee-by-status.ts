import type { Issue } from '../../model/issue.ts';
import type { CurrentValue } from '../../model/table.ts';
import type { Arrange, MeasureContext, Measured, ReportType, Subject } from '../measure/report-type.ts';
import { overlaps } from '../measure/timeline.ts';
import {
  assigneeSubject,
  createTally,
  openVisit,
  statusSubjects,
  twoLevelColumn,
  unknownOfAll,
  visitsOf,
} from '../measure/value-columns.ts';

/** Time per person, and for each person per status. */
export const statusDurationByAssignee: ReportType = {
  id: 'statusDurationByAssignee',
  title: 'Status Duration per Assignee',
  shape: 'issue',
  kind: 'duration',
  levels: ['user', 'status'],
  composite: true,
  columns: { kernel: 'assigneeStatus', arrange: personFirst },
  measure: (issue, context) => assigneeByStatus(issue, context, personFirst),
};

/** Time per status, and for each status per person. */
export const assigneeDurationByStatus: ReportType = {
  id: 'assigneeDurationByStatus',
  title: 'Assignee Duration per Status',
  shape: 'issue',
  kind: 'duration',
  levels: ['status', 'user'],
  composite: true,
  columns: { kernel: 'assigneeStatus', arrange: statusFirst },
  measure: (issue, context) => assigneeByStatus(issue, context, statusFirst),
};

function personFirst(assignee: Subject, status: Subject): readonly [Subject, Subject] {
  return [assignee, status];
}

function statusFirst(assignee: Subject, status: Subject): readonly [Subject, Subject] {
  return [status, assignee];
}

/** Time per pair of assignee and status; `arrange` says which of the two is the first level. */
function assigneeByStatus(issue: Issue, context: MeasureContext, arrange: Arrange): Measured {
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
