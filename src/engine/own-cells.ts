import { projectKeyOf } from '../issues/issue-fields.ts';
import type { Instant, Issue } from '../model/issue.ts';
import { type TimePeriod, timePeriods } from '../model/request.ts';
import type { Cell, Column, ColumnKind } from '../model/table.ts';
import { periodAt } from '../time/periods.ts';
import { contentAsOf, instantAsOf, resolvedBy, valueAsOf } from './content-as-of.ts';
import type { MeasureContext } from './report-type.ts';
import { transitionsOf } from './timeline.ts';
import { openVisit, visitsOf } from './value-columns.ts';

const keyColumn: Column = { id: 'issuekey', title: 'Key', kind: 'text', part: 'header' };

/** The columns every line about an issue begins with. */
export const headerColumns: readonly Column[] = [
  keyColumn,
  { id: 'summary', title: 'Summary', kind: 'text', part: 'header' },
];

/** The cells an issue has whatever the report type. */
export function ownCells(
  issue: Issue,
  columns: readonly Column[],
  context: MeasureContext,
): Record<string, Cell> {
  const cells: [string, Cell][] = [];
  for (const column of columns) {
    const cell = column === keyColumn ? { value: issue.key } : fieldCell(issue, column, context);
    if (cell !== null) cells.push([column.id, cell]);
  }
  return Object.fromEntries(cells);
}

/** What a field held at the as-of instant as a cell; null where it was empty. */
function fieldCell(issue: Issue, { id, kind }: Column, context: MeasureContext): Cell | null {
  const field = computed.get(id);
  if (field !== undefined) return field.cell(issue, context);
  if (kind === 'instant') {
    const at = instantAsOf(issue, id, context.asOf);
    return at === null ? null : { value: at };
  }
  const value = valueAsOf(issue, id, context.asOf);
  return value === null ? null : { value: context.nameOf(issue, id, value), id: value.id };
}

/** A column that no tracker keeps and that follows from the issue. */
interface ComputedField {
  readonly id: `calc:${string}`;
  readonly title: string;
  readonly kind: ColumnKind;
  cell(issue: Issue, context: MeasureContext): Cell | null;
}

/** Every computed field, asked for and grouped by like a field of the tracker. */
export const computedFields: readonly ComputedField[] = [
  {
    id: 'calc:projectKey',
    title: 'Project Key',
    kind: 'text',
    cell: (issue) => ({ value: projectKeyOf(issue) }),
  },
  {
    id: 'calc:projectName',
    title: 'Project Name',
    kind: 'text',
    cell: ({ project }) => ({ value: project.name, id: project.id }),
  },
  {
    id: 'calc:statusCategory',
    title: 'Status Category',
    kind: 'text',
    cell(issue, context) {
      const status = contentAsOf(issue, 'status', context.asOf);
      const known = status !== null && typeof status === 'object' && 'id' in status;
      return known ? { value: context.categoryOf(status.id) } : null;
    },
  },
  {
    id: 'calc:leadTime',
    title: 'Lead Time',
    kind: 'duration',
    cell(issue, { calendar, asOf }) {
      const resolved = resolvedBy(issue, asOf);
      return resolved === null ? null : { value: calendar.between(issue.created, resolved) };
    },
  },
  {
    id: 'calc:age',
    title: 'Age',
    kind: 'duration',
    cell: (issue, { calendar, asOf }) => ({
      value: calendar.between(issue.created, resolvedBy(issue, asOf) ?? asOf),
    }),
  },
  {
    id: 'calc:currentStatusAge',
    title: 'Current Status Age',
    kind: 'duration',
    cell(issue, context) {
      const last = openVisit(visitsOf(issue, 'status', untrimmed(context)).visits);
      return last?.begun ? { value: context.calendar.between(last.start, last.end) } : null;
    },
  },
  {
    id: 'calc:transitions',
    title: 'Transitions',
    kind: 'count',
    cell: (issue, context) => ({
      value: transitionsOf(visitsOf(issue, 'status', untrimmed(context)).visits).length,
    }),
  },
  ...timePeriods.flatMap((period) => [
    periodField('created', period, (issue) => issue.created),
    periodField('resolved', period, resolvedBy),
  ]),
];

const computed = new Map(computedFields.map((field) => [field.id as string, field]));

/** The day, week, month, quarter or year of an instant, in the principal's zone: to group by. */
function periodField(
  what: 'created' | 'resolved',
  period: TimePeriod,
  instantOf: (issue: Issue, asOf: Instant) => Instant | null,
): ComputedField {
  return {
    id: `calc:${what}${period}`,
    title: `${what === 'created' ? 'Created' : 'Resolved'} ${period}`,
    kind: 'text',
    cell(issue, { asOf, timeZone }) {
      const at = instantOf(issue, asOf);
      return at === null ? null : { value: periodAt(at, period, timeZone).id };
    },
  };
}

/** Facts of the issue itself do not shrink with the window the report looks at. */
function untrimmed(context: MeasureContext): MeasureContext {
  return { ...context, trim: { from: null, to: null } };
}
