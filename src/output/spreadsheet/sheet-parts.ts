import type { Sheet, SheetColumn, SheetRow } from '../workbook.ts';
import { createSheetNames } from './sheet-names.ts';

/** A sheet as a spreadsheet can hold it: all of a sheet of the workbook, or as many of its rows as fit. */
export interface SheetPart {
  /** Unique, and allowed as the name of a sheet. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Some rows from the beginning of the whole sheet, to take measure of; the same for all of its parts. */
  readonly firstRows: readonly SheetRow[];
  /** To be read once, to the end, before the next part is asked for. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
}

/** How many rows the width of a column is told from. */
const MEASURED_ROWS = 200;

/**
 * The sheets of a workbook, each split into further ones ("List", "List 2" …) where it has more rows than `mostRows`,
 * its header counted. Rows are read as they are asked for, a few from the beginning excepted.
 */
export async function* sheetParts(sheets: readonly Sheet[], mostRows: number): AsyncGenerator<SheetPart> {
  const nameOf = createSheetNames();
  for (const { name, columns, rows } of sheets) {
    const source = rows[Symbol.asyncIterator]();
    const ahead: (readonly SheetRow[])[] = [];
    const fetch = async (): Promise<boolean> => {
      const { done, value } = await source.next();
      if (done !== true && value.length > 0) ahead.push(value);
      return done !== true;
    };
    let known = 0;
    try {
      while (known < MEASURED_ROWS && (await fetch())) {
        known = ahead.reduce((sum, part) => sum + part.length, 0);
      }
      const firstRows = ahead.flatMap((part) => part.slice(0, MEASURED_ROWS)).slice(0, MEASURED_ROWS);
      do {
        yield { name: nameOf(name), columns, firstRows, rows: taken(mostRows - 1, ahead, fetch) };
      } while (await someAhead(ahead, fetch));
    } finally {
      await source.return?.();
    }
  }
}

type Fetch = () => Promise<boolean>;

async function someAhead(ahead: readonly (readonly SheetRow[])[], fetch: Fetch): Promise<boolean> {
  while (ahead.length === 0) if (!(await fetch())) return false;
  return true;
}

/** At most `most` rows; what is left of the part that holds the last one waits for the next sheet. */
async function* taken(
  most: number,
  ahead: (readonly SheetRow[])[],
  fetch: Fetch,
): AsyncGenerator<readonly SheetRow[]> {
  let left = most;
  while (left > 0 && (await someAhead(ahead, fetch))) {
    const part = ahead.shift() ?? [];
    if (part.length > left) ahead.unshift(part.slice(left));
    yield part.slice(0, left);
    left -= Math.min(left, part.length);
  }
}
