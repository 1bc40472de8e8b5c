import { reportIds } from '../../../model/report-ids.ts';
import { ask, type ReportRequest, type Selection } from '../../../model/request.ts';
import type { AnswerContext } from '../question-kind.ts';

/** The time in each status of these issues, deleted statuses included, as a list for a file. `title` is what they are called. */
export function statusTimesOf(
  keys: readonly string[],
  { calendar, title }: Pick<ReportRequest, 'calendar'> & { readonly title?: string },
  { principal, asOf }: Pick<AnswerContext, 'principal' | 'asOf'>,
): ReportRequest {
  return ask({
    principal,
    asOf,
    reportType: reportIds.statusDuration,
    selection: { by: 'keys', keys, ...(title === undefined ? {} : { title }) },
    calendar,
    includeDeletedStatuses: true,
  });
}

/** The same of open issues, with where they are and since when. */
export function openTimesOf(...given: Parameters<typeof statusTimesOf>): ReportRequest {
  return { ...statusTimesOf(...given), fields: ['status', 'assignee', 'calc:currentStatusAge'] };
}

/** ` of WEB`; what else than a project chose issues stays out of a title: a query is not for everyone who reads the file. */
export function ofProject(selection: Selection): string {
  return selection.by === 'project' ? ` of ${selection.project}` : '';
}
