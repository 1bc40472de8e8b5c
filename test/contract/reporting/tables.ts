import { expect } from '#jest';
import { cellIn, type Table } from '../../../src/model/table.ts';

/** The issues of an answer, in its order. */
export const keysIn = (table: Table) => table.issues.map(({ key }) => key);

/** The columns that hold figures. */
const valueColumns = ({ columns }: Table) => columns.filter(({ part }) => part === 'value');

/** Their titles. */
export const titlesOf = (table: Table) => valueColumns(table).map(({ title }) => title);

/** Their kinds, each once. */
export const kindsOf = (table: Table) => [...new Set(valueColumns(table).map(({ kind }) => kind))];

/** The lines of a table as titles and raw values. */
export function linesOf(table: Table): Record<string, string | number>[] {
  return table.rows.map((row) =>
    Object.fromEntries(
      table.columns.flatMap((column) => {
        const cell = cellIn(row, column);
        return cell === undefined ? [] : [[column.title, cell.value]];
      }),
    ),
  );
}

/** The figures of a list by key and title. */
export function valuesOf(table: Table): Record<string, Record<string, string | number>> {
  return byKey(table, ({ value }) => value);
}

/** How many visits are behind each of them. */
export function visitsOf(table: Table): Record<string, Record<string, number | undefined>> {
  return byKey(table, ({ visits }) => visits);
}

function byKey<Value>(
  table: Table,
  pick: (cell: Exclude<ReturnType<typeof cellIn>, undefined>) => Value,
): Record<string, Record<string, Value>> {
  return Object.fromEntries(
    table.rows.map((row) => [
      row.issueKey ?? '',
      Object.fromEntries(
        valueColumns(table).flatMap((column) => {
          const cell = cellIn(row, column);
          return cell === undefined ? [] : [[column.title, pick(cell)]];
        }),
      ),
    ]),
  );
}

/** Figures of a division come rounded to the millisecond where they travel as text. */
export function expectNear(
  line: Readonly<Record<string, string | number>>,
  expected: Readonly<Record<string, number>>,
): void {
  for (const [title, value] of Object.entries(expected)) {
    expect([title, Math.abs(Number(line[title]) - value) <= 1]).toEqual([title, true]);
  }
}
