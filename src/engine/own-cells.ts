import type { Issue } from '../model/issue.ts';
import type { Cell, Column } from '../model/table.ts';
import { fieldCell } from './field-cell.ts';
import type { MeasureContext } from './report-type.ts';

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
