import type { Status } from '../../model/issue.ts';
import { type Column, cellIn, type Table } from '../../model/table.ts';
import { withNotes } from '../../output/provenance-sheet.ts';

/** Parts of one list as a whole: the columns of each, and the issues one part after the other. Of none: null. */
export function mergeTables(tables: readonly Table[]): Table | null {
  const [first, ...others] = tables;
  if (first === undefined || others.length === 0) return first ?? null;
  const provenances = tables.map(({ provenance }) => provenance);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    ...first,
    columns: columnsOf(tables),
    issues: tables.flatMap(({ issues }) => issues),
    rows: tables.flatMap(({ rows }) => rows),
    statuses: {
      included: distinct(tables.flatMap(({ statuses }) => statuses.included)),
      excluded: distinct(tables.flatMap(({ statuses }) => statuses.excluded)),
      deleted: distinct(tables.flatMap(({ statuses }) => statuses.deleted)),
    },
    provenance: {
      ...first.provenance,
      complete: provenances.every(({ complete }) => complete),
      issues: sum(provenances.map(({ issues }) => issues)),
      cutHistories: sum(provenances.map(({ cutHistories }) => cutHistories)),
      // Every page tells how many of all issues are undecided.
      undecided: Math.max(...provenances.map(({ undecided }) => undecided)),
      ...withNotes(
        {},
        provenances.flatMap(({ notes = [] }) => notes),
      ),
      ...unaskedOf(provenances.map(({ unasked = 0 }) => unasked)),
    },
  };
}

/** Of all issues, too. */
function unaskedOf(pages: readonly number[]): Pick<Table['provenance'], 'unasked'> {
  const unasked = Math.max(...pages);
  return unasked === 0 ? {} : { unasked };
}

function columnsOf(tables: readonly Table[]): Column[] {
  const byId = Map.groupBy(
    tables.flatMap((table) => table.columns.map((column) => ({ column, table }))),
    ({ column: { part, id } }) => JSON.stringify([part, id]),
  );
  const columns = [...byId.values()].flatMap((met) => {
    const [column] = met.map((one) => one.column);
    return column === undefined ? [] : [{ ...column, kind: kindOf(column, met) }];
  });
  return (['header', 'group', 'field', 'value'] as const).flatMap((wanted) =>
    columns.filter(({ part }) => part === wanted),
  );
}

/** A part in which a column is empty does not know its kind; what is of several kinds is text. */
function kindOf(
  { kind }: Column,
  met: readonly { readonly column: Column; readonly table: Table }[],
): Column['kind'] {
  if (met.every(({ column }) => column.kind === kind)) return kind;
  const filled = met.filter(({ column, table }) =>
    table.rows.some((row) => cellIn(row, column) !== undefined),
  );
  const [only = kind, ...others] = new Set(filled.map(({ column }) => column.kind));
  return others.length === 0 ? only : 'text';
}

function distinct(statuses: readonly Status[]): Status[] {
  return [...new Map(statuses.map((status) => [status.id, status])).values()];
}
