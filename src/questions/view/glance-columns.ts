import { type Cells, type Column, cellIn, type Table } from '../../model/table.ts';
import { isDoneColumn } from './is-done-column.ts';

/** A glance takes no more columns of values than these. */
const VALUES = 5;
const FIELDS = 3;

/** The columns shown at a glance, in the table's order. */
interface GlanceColumns {
  readonly fields: readonly Column[];
  readonly values: readonly Column[];
  /** How many columns of values are left out. */
  readonly more: number;
}

/** Where columns are figures of one kind, those with the most in them, statuses of category Done last; else the first. */
export function glanceColumns({
  columns,
  rows,
  statuses,
}: Pick<Table, 'columns' | 'rows' | 'statuses'>): GlanceColumns {
  const fields = columns.filter(({ part }) => part === 'field').slice(0, FIELDS);
  const values = columns.filter(({ part }) => part === 'value');
  const isFigures = ['duration', 'count'].some((figure) => values.every(({ kind }) => kind === figure));
  const weight = (column: Column) => (isDoneColumn(column, statuses) ? -1 : sumOf(rows, column));
  const most = isFigures ? values.toSorted((a, b) => weight(b) - weight(a)) : values;
  const chosen = most.slice(0, VALUES);
  return {
    fields,
    values: values.filter((column) => chosen.includes(column)),
    more: values.length - chosen.length,
  };
}

/** What stands in a column together; texts count nothing. */
export function sumOf(
  rows: readonly { readonly own: Cells; readonly cells: Cells }[],
  column: Column,
): number {
  return rows.reduce((sum, row) => {
    const value = cellIn(row, column)?.value;
    return sum + (typeof value === 'number' ? value : 0);
  }, 0);
}
