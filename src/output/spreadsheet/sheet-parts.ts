import type { Sheet, SheetColumn, SheetRow, SheetValue } from '../workbook.ts';
import type { DateCells } from './excel-cells.ts';

/** A sheet as a spreadsheet can hold it: all of a sheet of the workbook, or as many of its rows as fit. */
export interface SheetPart {
  /** Unique, and allowed as the name of a sheet. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Some rows from the beginning of the whole sheet, to take measure of; the same for all of its parts. */
  readonly firstRows: readonly SheetRow[];
  /** The content, to be read once, to the end, before the next part is requested. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
}

/** The number of rows that the width of a column is measured from. */
const MEASURED_ROWS = 200;

/**
 * The sheets of a workbook, each split into further ones ("List", "List 2" …) where it has more rows than `maxRows`,
 * its header counted. Rows are read as they are asked for, a few from the beginning excepted.
 */
export async function* sheetParts(sheets: readonly Sheet[], maxRows: number): AsyncGenerator<SheetPart> {
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
        yield { name: nameOf(name), columns, firstRows, rows: taken(maxRows - 1, ahead, fetch) };
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

/** At most `max` rows; what is left of the part that holds the last one waits for the next sheet. */
async function* taken(
  max: number,
  ahead: (readonly SheetRow[])[],
  fetch: Fetch,
): AsyncGenerator<readonly SheetRow[]> {
  let left = max;
  while (left > 0 && (await someAhead(ahead, fetch))) {
    const part = ahead.shift() ?? [];
    if (part.length > left) ahead.unshift(part.slice(left));
    yield part.slice(0, left);
    left -= Math.min(left, part.length);
  }
}

const MAX_NAME = 31;

/**
 * Gives out names of sheets as Excel allows them, each once whatever its case: 31 UTF-16 units, none of []:*?/\ and no
 * control characters, no apostrophe at either end, and not "History", which Excel keeps for itself.
 */
function createSheetNames(): (wanted: string) => string {
  const taken = new Set(['history']);
  return (wanted) => {
    const plain = wanted.toWellFormed().replaceAll(/[[\]:*?/\\\p{Cc}]+/gu, ' ');
    const base = plain.replaceAll(/^[\s']+|[\s']+$/g, '') || 'Sheet';
    let name = cut(base, MAX_NAME);
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) {
      name = `${cut(base, MAX_NAME - 1 - String(number).length)} ${number}`;
    }
    taken.add(name.toLowerCase());
    return name;
  };
}

function cut(text: string, max: number): string {
  return text
    .slice(0, max)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/[\s']+$/, '');
}

const MIN_WIDTH = 8;
const MAX_WIDTH = 60;

/** The part of a title, which is bold as well, that the button of the filter covers. */
const BUTTON = 4;

/** The number of digits of a number in the general format. */
const MAX_NUMBER = 12;

/** The widths of columns in characters, by their titles and the first rows. */
export function columnWidths(
  columns: readonly SheetColumn[],
  rows: readonly SheetRow[],
  dates: Pick<DateCells, 'instant' | 'day'>,
): readonly number[] {
  return columns.map(({ title, kind }, at) => {
    const date = kind === 'instant' ? dates.instant.width : kind === 'day' ? dates.day.width : 0;
    let width = Math.max(MIN_WIDTH, textWidth(title) + BUTTON, date + 1);
    for (const row of rows) width = Math.max(width, valueWidth(row[at] ?? null, kind) + 1);
    return Math.min(width, MAX_WIDTH);
  });
}

function valueWidth(value: SheetValue, kind: SheetColumn['kind']): number {
  if (value === null) return 0;
  if (typeof value === 'string') return kind === 'day' ? 0 : textWidth(value);
  return kind === 'instant' ? 0 : Math.min(String(value).length, MAX_NUMBER);
}

/** The longest line; ideographs and the like take two characters' place. */
function textWidth(text: string): number {
  let [longest, width] = [0, 0];
  for (let at = 0; at < text.length && longest < MAX_WIDTH; at += 1) {
    const code = text.charCodeAt(at);
    width = code === 0x0a ? 0 : width + (code >= 0x2e80 && code < 0xd800 ? 2 : 1);
    longest = Math.max(longest, width);
  }
  return longest;
}
