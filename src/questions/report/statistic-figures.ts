import { shorten } from '../../block-kit/shorten.ts';
import { type Column, cellIn, type Row, type Table } from '../../model/table.ts';

const NAME_LENGTH = 80;

/** Of what has no value, such as issues without an assignee. */
export const NO_VALUE = 'none';

/** A figure of a statistic, and where it stands. */
export interface Figure {
  readonly row: Row;
  readonly column: Column;
  readonly value: number;
}

/** Every figure of a statistic; what never was has none. */
export function figuresOf({ columns, rows }: Table): Figure[] {
  const values = columns.filter(({ part }) => part === 'value');
  return rows.flatMap((row) =>
    values.flatMap((column) => {
      const value = cellIn(row, column)?.value;
      return typeof value === 'number' ? [{ row, column, value }] : [];
    }),
  );
}

/** Those with the highest values, in the order in which they stand. */
export function longestOf(figures: readonly Figure[], count: number): Figure[] {
  const most = figures.toSorted((a, b) => b.value - a.value).slice(0, count);
  return figures.filter((figure) => most.includes(figure));
}

/** What the issues of a line have in common; null where all issues are one line. */
export function groupName(columns: readonly Column[], row: Row): string | null {
  const names = columns
    .filter(({ part }) => part === 'group')
    .map((column) => shorten(String(cellIn(row, column)?.value ?? NO_VALUE), NAME_LENGTH) || '(no name)');
  return names.length === 0 ? null : names.join(', ');
}
