import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileFormats } from '../src/output/files/index.ts';
import type { FileFormat, Workbook } from '../src/output/workbook.ts';
import { inventedBook } from './files/invented-book.ts';
import { awkwardBook, awkwardContent } from './read-back/awkward-book.ts';
import { type Comparison, compareSheets } from './read-back/compare-sheets.ts';
import { libreOfficeReaders } from './read-back/libre-office.ts';
import { longListContent } from './read-back/long-list.ts';
import { pythonReaders } from './read-back/python.ts';
import type { ReadSheet } from './read-back/read-sheet.ts';
import type { Reader } from './read-back/reader.ts';

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

/**
 * Lets other programs read files of ours and compares what they find with what was meant: sheets, rows, and cells with
 * their types. A difference makes the exit code 1; a program that is not installed does not.
 */
export async function benchReadBack(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dwell-read-back-'));
  try {
    const lines: Record<string, string | number>[] = [];
    for (const file of [...awkwardFiles, ...longFiles]) lines.push(...(await readBack(file, folder)));
    console.table(lines);
    if (lines.some(({ ok }) => ok === 'NO')) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function readBack(
  { name, format, book, content }: WrittenFile,
  folder: string,
): Promise<Record<string, string | number>[]> {
  const file = `${name}.${format.extension}`;
  const path = join(folder, file);
  // The CSVs of the ZIP go without the mark.
  await format.write(book(), path, { byteOrderMark: format.id === 'csv', compression: 5 });
  const wanted = await content();
  return readers
    .filter((reader) => reader.format === format.id)
    .map((reader) => {
      const line = { file, reader: reader.name };
      if (!reader.isInstalled()) return { ...line, ok: 'not installed' };
      const { cells, differences } = compared(reader, path, folder, wanted);
      for (const one of differences.slice(0, SHOWN_DIFFERENCES)) {
        console.log(`${file}, ${reader.name}: ${one}`);
      }
      return { ...line, cells, differences: differences.length, ok: differences.length === 0 ? 'ok' : 'NO' };
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
