import { rm, writeFile } from 'node:fs/promises';
import { badRequest } from '../../model/error.ts';
import type { FileFormat } from '../file-format.ts';
import { dateCells } from '../spreadsheet/date-cells.ts';
import { sheetParts } from '../spreadsheet/sheet-parts.ts';
import type { Workbook } from '../workbook.ts';
import { compoundFile, MOST_STREAM_BYTES } from '../xls/compound-file.ts';
import { record } from '../xls/record.ts';
import { createSharedStrings } from '../xls/shared-strings.ts';
import { openSpool, type Spool } from '../xls/spool.ts';
import { type WrittenSheet, workbookHead } from '../xls/workbook-head.ts';
import { writeSheet } from '../xls/write-sheet.ts';

/** What Excel holds at most. */
const MOST_ROWS = 65_536;
const MOST_COLUMNS = 256;

/** How much a file of the format holds. */
export interface XlsLimits {
  /** Rows of a sheet, the row of titles included, before a further sheet begins. */
  readonly mostRows: number;
  readonly mostBytes: number;
}

/**
 * Workbooks of Excel 97 to 2003 (BIFF8 in a compound file). Sheets and shared strings are first written to files beside
 * the target, since what stands before them tells where they begin and how long they are.
 */
export function createXls({ mostRows, mostBytes }: XlsLimits): FileFormat {
  return {
    id: 'xls',
    extension: 'xls',
    mediaType: 'application/vnd.ms-excel',
    mostColumns: MOST_COLUMNS,
    write: (book, path) =>
      withSpool(`${path}.sheets`, (sheets) =>
        withSpool(`${path}.strings`, (strings) =>
          writeBook(book, { path, sheets, strings, mostRows, mostBytes }),
        ),
      ),
  };
}

export const xls: FileFormat = createXls({ mostRows: MOST_ROWS, mostBytes: MOST_STREAM_BYTES });

interface Target extends XlsLimits {
  readonly path: string;
  readonly sheets: Spool;
  readonly strings: Spool;
}

/** Takes the file away again, however the writing ends. */
async function withSpool(path: string, use: (spool: Spool) => Promise<void>): Promise<void> {
  const spool = await openSpool(path);
  try {
    await use(spool);
  } finally {
    await spool.close();
    await rm(path);
  }
}

async function writeBook(
  book: Workbook,
  { path, sheets, strings, mostRows, mostBytes }: Target,
): Promise<void> {
  const dates = dateCells(book);
  const table = createSharedStrings(strings);
  const written: WrittenSheet[] = [];
  for await (const part of sheetParts(book.sheets, mostRows)) {
    written.push(await writeSheet({ spool: sheets, strings: table, dates }, part, written.length));
    refuseLonger(sheets.size() + strings.size(), mostBytes);
  }
  await table.finish();

  const end = record('EOF');
  const head = workbookHead(written, dates, strings.size() + end.length);
  const size = head.length + strings.size() + end.length + sheets.size();
  refuseLonger(size, mostBytes);
  await writeFile(path, compoundFile('Workbook', size, streamOf(head, strings, end, sheets)), { flag: 'wx' });
}

function refuseLonger(bytes: number, mostBytes: number): void {
  if (bytes <= mostBytes) return;
  throw badRequest(
    `outputType 'XLS' holds ${mostBytes} bytes and this report has more; allowed: CSV or JSON, or a report with fewer issues.`,
  );
}

async function* streamOf(
  head: Uint8Array,
  strings: Spool,
  end: Uint8Array,
  sheets: Spool,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* strings.read();
  yield end;
  yield* sheets.read();
}
