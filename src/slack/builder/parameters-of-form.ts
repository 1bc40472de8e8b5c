import { splitQuery } from '../../api/reporting/query-text.ts';
import type { ReportQuestion, When } from '../../model/question.ts';
import type { DateRangeField, Selection } from '../../model/request.ts';
import { asLiteral } from '../../questions/parse/typed-words.ts';
import type { BuilderForm } from './builder-form.ts';

/**
 * The form's report as the REST interface takes it. A time that moves with the instant of asking is part of the query,
 * for there dates do not move; the clocks of who asks tell its days then.
 */
export function parametersOf(
  { request, range }: ReportQuestion,
  { from, to }: Pick<BuilderForm, 'from' | 'to'>,
): Readonly<Record<string, unknown>> {
  const { reportType, selection, calendar, groupBy, statistic } = request;
  const moving = range === null ? null : clauseOf(range.field, range.when);
  return {
    reportType,
    ...(moving === null ? selectionParameters(selection) : queryParameters(selection, moving)),
    ...(range?.when.by === 'dates'
      ? { dateRangeField: range.field, startDate: from, ...(to === '' ? {} : { endDate: to }) }
      : {}),
    calendar,
    includeDeletedStatuses: true,
    ...(groupBy.length === 0 ? {} : { groupByFields: [...groupBy] }),
    ...(statistic === null
      ? {}
      : {
          aggregationType: statistic.type,
          ...(statistic.type === 'percentile' ? { percentile: statistic.percentile } : {}),
        }),
  };
}

/** A time that moves as a clause of JQL; null for what does not move. */
export function clauseOf(field: DateRangeField, when: When): string | null {
  switch (when.by) {
    case 'days':
      return `${field} >= -${when.days}d`;
    case 'period': {
      const start = `startOf${when.period.charAt(0).toUpperCase()}${when.period.slice(1)}`;
      const at = (back: number) => (back === 0 ? `${start}()` : `${start}("${-back}")`);
      return when.back === 0
        ? `${field} >= ${at(0)}`
        : `${field} >= ${at(when.back)} AND ${field} < ${at(when.back - 1)}`;
    }
    case 'dates':
      return null;
  }
}

/** A choice of issues as the REST interface takes it. */
export function selectionParameters(selection: Selection): Readonly<Record<string, string>> {
  switch (selection.by) {
    case 'project':
      return { filterType: 'project', projectKey: selection.project };
    case 'savedFilter':
      return { filterType: 'jqlfilter', jqlFilterID: selection.id };
    case 'sprint':
      return { filterType: 'sprint', sprintID: selection.id };
    case 'user':
      return { filterType: 'user', user: selection.user };
    case 'keys':
    case 'jql':
      return { filterType: 'customjql', customjql: queryOf(selection) };
  }
}

function queryParameters(selection: Selection, clause: string): Readonly<Record<string, string>> {
  const { filter, order } = splitQuery(queryOf(selection));
  const both = filter === '' ? clause : `(${filter}) AND ${clause}`;
  return { filterType: 'customjql', customjql: order === '' ? both : `${both} ${order}` };
}

/** A choice of issues as JQL. */
function queryOf(selection: Selection): string {
  switch (selection.by) {
    case 'keys':
      return `key in (${selection.keys.join(', ')})`;
    case 'project':
      return `project = ${asLiteral(selection.project)}`;
    case 'savedFilter':
      return `filter = ${selection.id}`;
    case 'sprint':
      return `sprint = ${selection.id}`;
    case 'jql':
      return selection.jql;
    case 'user': {
      const user = asLiteral(selection.user);
      return `assignee = ${user} OR assignee WAS ${user}`;
    }
  }
}
