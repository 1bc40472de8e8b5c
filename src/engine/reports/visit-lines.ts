import { reportIds } from '../../model/report-ids.ts';
import type { Column } from '../../model/table.ts';
import type { ReportType, ValueColumn, VisitReport } from './measuring/report-type.ts';

/** Columns of visit-by-visit reports. `end` has no cell while the visit is open. */
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

/** Columns of the visit-by-visit report of statuses, which does not name the field. */
export const statusVisitColumns: readonly ValueColumn[] = visitColumns
  .filter((column) => column.id !== 'field')
  .map((column) => ({ ...column, title: column.title.replace('Value', 'Status') }));

/** The status history of an issue, with one line per visit. */
export const statusDurationExpanded: VisitReport = {
  id: reportIds.statusDurationExpanded,
  title: 'Status History Expanded',
  shape: 'visit',
  options: [],
  requires: [],
  sharesOut: false,
  kind: 'duration',
  levels: ['status'],
  composite: false,
  fields: 'status',
  columns: statusVisitColumns,
};

/** The history of any fields of an issue, with one line per visit of each requested field. */
export const anyFieldDurationExpanded: ReportType = {
  ...statusDurationExpanded,
  id: reportIds.anyFieldDurationExpanded,
  title: 'Any Field History Expanded',
  options: ['historyFields'],
  requires: ['historyFields'],
  levels: ['value'],
  fields: 'history',
  columns: visitColumns,
};

/** Columns of the times in which an issue was blocked. */
const blockedColumns: readonly ValueColumn[] = visitColumns
  .filter(({ id }) => id !== 'field')
  .map((column) => ({ ...column, title: column.title.replace('Value', 'Cause') }));

/** The times in which an issue was blocked, with one line for each set of causes. */
export const blockedDurationExpanded: ReportType = {
  ...statusDurationExpanded,
  id: reportIds.blockedDurationExpanded,
  title: 'Blocked History Expanded',
  levels: ['value'],
  fields: 'blocked',
  columns: blockedColumns,
};
