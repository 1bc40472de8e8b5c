import { expect } from '#jest';
import { type Cells, cellOf, type Table } from '../../src/model/table.ts';
import { cellsIn, type DefinedFigures, type DefinedTable } from './table.ts';

/** A list in the form of its definition. */
export function listAsDefined({ columns, rows, issues, statuses }: Table): DefinedTable {
  const values = valueColumns({ columns });
  const ids = (some: Table['statuses'][keyof Table['statuses']]) => some.map(({ id }) => id).toSorted();
  return {
    columns: values,
    rows: rows.map(({ issueKey, cells, states }) => ({
      ...{ issueKey, cells: cellsIn(cells, values) },
      ...(states === undefined ? {} : { states }),
    })),
    issues: issues.map(({ cells: _, link: _link, ...facts }) => facts),
    statuses: {
      included: ids(statuses.included),
      excluded: ids(statuses.excluded),
      deleted: ids(statuses.deleted),
    },
  };
}

/** The figures of groups in the form of their definition. */
export function figuresAsDefined(table: Table): DefinedFigures {
  const grouping = table.columns.filter(({ part }) => part === 'group');
  return {
    columns: valueColumns(table),
    groups: table.rows.map(({ own, cells, issueCount = 0 }) => ({
      of: grouping.map(({ id }) => {
        const cell = cellOf(own, id);
        return cell === undefined ? null : (cell.id ?? String(cell.value));
      }),
      ...{ issueCount, cells },
    })),
  };
}

function valueColumns({ columns }: Pick<Table, 'columns'>) {
  return columns.filter(({ part }) => part === 'value').map(({ part: _, ...column }) => column);
}

/** Fails where figures differ by more than the rounding of sums of fractions. */
export function expectFigures(found: DefinedFigures, defined: DefinedFigures): void {
  expect(found.columns).toEqual(defined.columns);
  const inOrder = ({ groups }: DefinedFigures) =>
    groups.toSorted((a, b) => (JSON.stringify(a.of) < JSON.stringify(b.of) ? -1 : 1));
  const nearly = (cells: Cells) =>
    Object.fromEntries(
      Object.entries(cells).map(([id, cell]) => [
        id,
        { ...cell, value: expect.closeTo(Number(cell.value), 2) },
      ]),
    );
  expect(inOrder(found)).toEqual(inOrder(defined).map((group) => ({ ...group, cells: nearly(group.cells) })));
}
