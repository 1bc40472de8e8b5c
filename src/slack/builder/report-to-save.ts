import { queryOf, queryWithin, rollingSelectionOf } from '../../api/parameters/rolling-range.ts';
import { splitQuery } from '../../api/reporting/query-text.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import type { ReportQuestion } from '../../model/question.ts';

/** A report as it is saved: days as they were chosen (`to` empty: open), a time that moves as one that does. */
export function savedReportOf(
  { request, range }: Pick<ReportQuestion, 'request' | 'range'>,
  days: { readonly from: string; readonly to: string },
): SavedReport {
  const { reportType, calendar, groupBy, statistic } = request;
  return {
    reportType,
    ...issuesOf({ request, range }, days),
    calendar,
    includeDeletedStatuses: true,
    ...(groupBy.length === 0 ? {} : { groupBy }),
    ...(statistic && {
      statistic: {
        type: statistic.type,
        ...(statistic.type === 'percentile' && { percentile: statistic.percentile }),
      },
    }),
  };
}

function issuesOf(
  { request, range }: Pick<ReportQuestion, 'request' | 'range'>,
  { from, to }: { readonly from: string; readonly to: string },
): Pick<SavedReport, 'selection' | 'range'> {
  // A title is of the question that was asked.
  const { title: _title, ...selection } = { title: undefined, ...request.selection };
  if (range === null) return { selection };
  const { field, when } = range;
  if (when.by === 'dates') return { selection, range: { field, from, ...(to !== '' && { to }) } };
  const { filter, order } = splitQuery(queryOf(selection));
  // The time is part of the query where it has to be before its order.
  const jql = `${queryWithin(filter, { field, when })} ${order}`.trimEnd();
  return rollingSelectionOf(jql) ?? { selection: { by: 'jql', jql } };
}
