import type { Issue } from '../../model/issue.ts';
import type { Cell, Column } from '../../model/table.ts';
import type { MeasureContext, Measured, ReportType, ValueColumn } from '../measure/report-type.ts';
import { currentOf, unknownOfAll, visitsOf } from '../measure/value-columns.ts';

/** The whole way of an issue through its statuses: one line per visit. */
export const statusDurationExpanded: ReportType = {
  id: 'statusDurationExpanded',
  title: 'Status History Expanded',
  shape: 'visit',
  kind: 'duration',
  levels: ['status'],
  composite: false,
  measure: (issue, context) => visitLines(issue, ['status'], context, statusVisitColumns),
};

/** The same for any field whose history the tracker keeps: one line per visit of each asked-for field. */
export const anyFieldDurationExpanded: ReportType = {
  id: 'anyFieldDurationExpanded',
  title: 'Any Field History Expanded',
  shape: 'visit',
  kind: 'duration',
  levels: ['value'],
  composite: false,
  measure: (issue, context) =>
    visitLines(
      issue,
      context.historyFields.map(({ id }) => id),
      context,
    ),
};

/** Columns of every visit-by-visit report. `end` has no cell while the visit is open. */
export const visitColumns: readonly ValueColumn[] = (
  [
    { id: 'field', title: 'Field', kind: 'text', part: 'value' },
    { id: 'value', title: 'Value', kind: 'text', part: 'value' },
    { id: 'valueId', title: 'Value ID', kind: 'text', part: 'value' },
    { id: 'start', title: 'Start', kind: 'instant', part: 'value' },
    { id: 'end', title: 'End', kind: 'instant', part: 'value' },
    { id: 'duration', title: 'Duration', kind: 'duration', part: 'value' },
    { id: 'transitionedBy', title: 'Transitioned By', kind: 'text', part: 'value' },
  ] satisfies Column[]
).map((column) => ({ ...column, ids: [column.id], statuses: [] }));

/** The same where the only field is the status. */
export const statusVisitColumns: readonly ValueColumn[] = visitColumns
  .filter((column) => column.id !== 'field')
  .map((column) => ({ ...column, title: column.title.replace('Value', 'Status') }));

/** One line per known visit of the given fields, field after field, each in order of time. */
function visitLines(
  issue: Issue,
  fields: readonly string[],
  context: MeasureContext,
  columns: readonly ValueColumn[] = visitColumns,
): Measured {
  const timelines = fields.map((field) => ({ field, ...visitsOf(issue, field, context) }));
  const lines = timelines.flatMap(({ field, visits }) =>
    visits
      .filter((visit) => visit.known)
      .map((visit): Record<string, Cell> => {
        const ended: Record<string, Cell> = visit.open ? {} : { end: { value: visit.end } };
        const by: Record<string, Cell> =
          visit.by === null
            ? {}
            : { transitionedBy: { value: context.userName(visit.by) ?? visit.by, id: visit.by } };
        const value: Record<string, Cell> =
          visit.value === null
            ? {}
            : {
                value: { value: context.nameOf(issue, field, visit.value), id: visit.value.id },
                valueId: { value: visit.value.id },
              };
        return {
          field: { value: field },
          ...value,
          start: { value: visit.start },
          ...ended,
          duration: { value: context.calendar.between(visit.start, visit.end) },
          ...by,
        };
      }),
  );
  const [lead] = timelines;
  return {
    columns,
    lines,
    current: lead === undefined ? [] : currentOf(issue, lead.visits, lead.field, context),
    unknown: unknownOfAll(
      timelines.map(({ visits }) => visits),
      context,
    ),
    contradictions: timelines.reduce((sum, one) => sum + one.contradictions, 0),
  };
}
