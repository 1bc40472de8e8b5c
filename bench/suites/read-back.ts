import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileFormats } from '../../src/output/files/index.ts';
import type { FileFormat, SheetValue, Workbook } from '../../src/output/workbook.ts';
import { inventedBook, inventedColumns, inventedParts } from '../files/invented-book.ts';
import { awkwardBook, awkwardContent } from '../read-back/awkward-book.ts';
import { libreOfficeReaders } from '../read-back/libre-office.ts';
import { pythonReaders } from '../read-back/python.ts';
import type { ReadCell, Reader, ReadSheet } from '../read-back/reader.ts';
import { figureRow, type Row } from '../rows.ts';
import type { Suite } from '../suite.ts';

const LONG = 200_000;

/** Below the row of titles of an XLS. */
const XLS_ROWS = 65_535;

/** A file may be wrong in every cell. */
const SHOWN_DIFFERENCES = 20;

const readers: readonly Reader[] = [...pythonReaders, ...libreOfficeReaders];

interface WrittenFile {
  readonly name: string;
  readonly format: FileFormat;
  readonly book: () => Workbook;
  readonly content: () => Promise<readonly ReadSheet[]>;
}

const awkwardFiles = fileFormats.map(
  (format): WrittenFile => ({
    name: 'awkward',
    format,
    book: awkwardBook,
    content: async () => awkwardContent(format.id, 'awkward'),
  }),
);
const longFiles = fileFormats
  .filter(({ id }) => id === 'xls' || id === 'xlsx')
  .map(
    (format): WrittenFile => ({
      name: 'long',
      format,
      book: () => inventedBook(LONG),
      content: () => longListContent(LONG, format.id === 'xls' ? XLS_ROWS : LONG),
    }),
  );

/** Other programs read files of ours; what they find is held against what was meant: sheets, rows, cells with their types. */
export const readBack: Suite = {
  name: 'read-back',
  about: 'LibreOffice and Python read the files, where they are installed; differences in cells',
  quick: null,
  usual: [],
  full: [],
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'dwell-read-back-'));
    try {
      const rows: Row[] = [];
      for (const file of [...awkwardFiles, ...longFiles]) rows.push(...(await readFile(file, folder)));
      return rows;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function readFile(
  { name, format, book, content }: WrittenFile,
  folder: string,
): Promise<readonly Row[]> {
  const file = `${name}.${format.extension}`;
  const path = join(folder, file);
  // The CSVs of the ZIP go without the mark.
  await format.write(book(), path, { byteOrderMark: format.id === 'csv', compression: 5 });
  const wanted = await content();
  return readers
    .filter((reader) => reader.format === format.id)
    .filter((reader) => {
      if (reader.isInstalled()) return true;
      console.error(`${reader.name} is not installed: ${file} is not read by it.`);
      return false;
    })
    .map((reader) => {
      const { cells, differences } = compared(reader, path, folder, wanted);
      const of = { suite: 'read-back', name: `${file} by ${reader.name}, differences in ${cells} cells` };
      const shown = differences.slice(0, SHOWN_DIFFERENCES);
      const fault = shown.length === 0 ? null : shown.join('; ');
      return figureRow({ ...of, size: null, unit: 'cells' }, differences.length, { fault });
    });
}

/** A program that cannot read a file is a difference as well. */
function compared(
  { read, limit }: Reader,
  path: string,
  folder: string,
  wanted: readonly ReadSheet[],
): Comparison {
  const own = join(folder, 'reader');
  mkdirSync(own);
  try {
    const limited = wanted.map(({ name, rows }) => ({ name, rows: rows.map((row) => row.map(limit)) }));
    return compareSheets(limited, read(path, own));
  } catch (error) {
    return { cells: 0, differences: [String(error)] };
  } finally {
    rmSync(own, { recursive: true });
  }
}

/** How many cells were looked at, and what is not as it should be, in words. */
interface Comparison {
  readonly cells: number;
  readonly differences: readonly string[];
}

/** Compares sheets by their names: which there are, how many rows they have, and each cell with its type. */
function compareSheets(wanted: readonly ReadSheet[], found: readonly ReadSheet[]): Comparison {
  const differences: string[] = [];
  let cells = 0;
  for (const { name } of found) {
    if (!wanted.some((sheet) => sheet.name === name)) differences.push(`a sheet '${name}' too many`);
  }
  for (const { name, rows } of wanted) {
    const others = found.find((sheet) => sheet.name === name)?.rows;
    if (others === undefined) {
      differences.push(`no sheet '${name}'`);
      continue;
    }
    if (others.length !== rows.length) {
      differences.push(`sheet '${name}': ${others.length} rows instead of ${rows.length}`);
    }
    for (const [at, row] of rows.entries()) {
      const other = others[at] ?? [];
      const columns = Math.max(row.length, other.length);
      for (let column = 0; column < columns; column += 1) {
        const [want, have] = [told(row[column]), told(other[column])];
        cells += 1;
        if (want === have) continue;
        differences.push(
          `sheet '${name}', row ${at + 1}, column ${column + 1}: ${apart(have, want)} instead of ${apart(want, have)}`,
        );
      }
    }
  }
  return { cells, differences };
}

/** JSON keeps types apart, and has one zero. */
function told(cell: ReadCell | undefined): string {
  return JSON.stringify(cell ?? null);
}

const SHOWN = 60;

/** A text from a little before where it leaves the other one. */
function apart(text: string, other: string): string {
  if (text.length <= SHOWN) return text;
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  const start = Math.max(0, at - SHOWN / 3);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + SHOWN)}… (${text.length})`;
}

/** The clocks of the invented book's zone; Swedes write dates as ISO does. */
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** What a workbook is to hold of an invented list of `count` rows, with `mostRows` below the titles of each sheet. */
async function longListContent(count: number, mostRows: number): Promise<readonly ReadSheet[]> {
  const rows: (readonly ReadCell[])[] = [];
  for await (const part of inventedParts(count)) {
    for (const row of part) rows.push(row.map(readCell));
  }
  const titles = inventedColumns.map(({ title }) => title);
  return Array.from({ length: Math.ceil(count / mostRows) }, (_, at) => ({
    name: at === 0 ? 'List' : `List ${at + 1}`,
    rows: [titles, ...rows.slice(at * mostRows, (at + 1) * mostRows)],
  }));
}

function readCell(value: SheetValue, column: number): ReadCell {
  const kind = inventedColumns[column]?.kind;
  if (typeof value === 'number' && kind === 'instant') return { date: clock.format(value) };
  return typeof value === 'string' && kind === 'day' ? { date: value } : value;
}
