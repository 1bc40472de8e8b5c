import type { MultiVisitBehavior, ReportRequest } from '../../../model/request.ts';
import type { Table } from '../../../model/table.ts';

/** Which of several visits of a status count. */
const visitRules: Readonly<Record<MultiVisitBehavior, string>> = {
  total: 'Where an issue was in a status several times, all of its visits are added up.',
  first: 'Where an issue was in a status several times, only the first visit counts.',
  last: 'Where an issue was in a status several times, only the last visit counts.',
  average: 'Where an issue was in a status several times, the average of its visits counts.',
};

/** What counts in a report and what is left out, beside the calendar and the window. */
export function reportRules(
  { multiVisitBehavior, statuses, includeDeletedStatuses, creditDelegates }: ReportRequest,
  { statuses: met, provenance }: Table,
): readonly string[] {
  const { reportType, cutHistories, undecided, unasked = 0 } = provenance;
  const gone = statuses === null && !includeDeletedStatuses ? met.deleted.map(({ name }) => name) : [];
  return [
    ...(reportType === 'statusDuration' ? [visitRules[multiVisitBehavior]] : []),
    ...(statuses === null ? [] : ['Only the statuses that were chosen count.']),
    ...(creditDelegates === null ? [] : ['Time in which somebody stood in for the assignee is told apart.']),
    ...(gone.length === 0
      ? []
      : [`Statuses that are gone from the tracker are left out: ${gone.slice(0, 10).join(', ')}.`]),
    ...(cutHistories === 0
      ? []
      : [
          `The history of ${cutHistories} ${cutHistories === 1 ? 'issue is' : 'issues is'} not complete; time of which nothing is known is left out.`,
        ]),
    ...(undecided === 0
      ? []
      : [`Of ${undecided} further issues nobody can tell whether they belong here; they are left out.`]),
    ...(unasked === 0
      ? []
      : [`Of ${unasked} issues the tracker could not be asked whether you may see them; they are left out.`]),
  ];
}
