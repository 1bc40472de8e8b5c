import type { ReportType } from '../engine/report-type.ts';
import { standInSubject } from '../engine/stand-in-subject.ts';
import { timeByAssignee } from '../engine/time-by-assignee.ts';
import { assigneeSubject } from '../engine/value-columns.ts';

/**
 * Time with each person: one column per assignee, and one for the time without any. Where that is asked, time in which
 * somebody stood in for the assignee is a column of the two instead.
 */
export const assigneeDuration: ReportType = {
  id: 'assigneeDuration',
  title: 'Assignee Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['user'],
  composite: false,
  measure: (issue, context) =>
    timeByAssignee(issue, context, (assignee, standIn) => [
      assignee === null || standIn === null
        ? assigneeSubject(assignee, context)
        : standInSubject(assignee, standIn, context),
    ]),
};
