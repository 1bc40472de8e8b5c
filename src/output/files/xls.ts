import { rm, writeFile } from 'node:fs/promises';
import { about, badRequestAs } from '../../model/error.ts';
import { dateCells } from '../spreadsheet/excel-cells.ts';
import { sheetParts } from '../spreadsheet/sheet-parts.ts';
import { createSharedStrings, openSpool, record, type Spool } from '../spreadsheet/xls-records.ts';
import { writeSheet } from '../spreadsheet/xls-sheet.ts';
import { type WrittenSheet, workbookHead } from '../spreadsheet/xls-workbook.ts';
import type { FileFormat, Workbook } from '../workbook.ts';

/** The limits of Excel. */
const MAX_ROWS = 65_536;

const MAX_COLUMNS = 256;

/** Version 3 has no longer streams. [MS-CFB] 2.6.1. */
const MAX_STREAM_BYTES = 2 ** 31;

/** The capacity of a file of the format. */
interface XlsLimits {
  /** Rows of a sheet, the row of titles included, before a further sheet begins. */
  readonly maxRows: number;
  readonly maxBytes: number;
}

/**
 * Workbooks of Excel 97 to 2003 (BIFF8 in a compound file). Sheets and shared strings are first written to files beside
 * the target, since what is before them says where they begin and how long they are.
 */
export function createXls({ maxRows, maxBytes }: XlsLimits): FileFormat {
  return {
    id: 'xls',
    extension: 'xls',
    mediaType: 'application/vnd.ms-excel',
    maxColumns: MAX_COLUMNS,
    write: (book, path) =>
      withSpool(`${path}.sheets`, (sheets) =>
        withSpool(`${path}.strings`, (strings) =>
          writeBook(book, { path, sheets, strings, maxRows, maxBytes }),
        ),
      ),
  };
}

export const xls: FileFormat = createXls({ maxRows: MAX_ROWS, maxBytes: MAX_STREAM_BYTES });

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
  { path, sheets, strings, maxRows, maxBytes }: Target,
): Promise<void> {
  const dates = dateCells(book);
  const table = createSharedStrings(strings);
  const written: WrittenSheet[] = [];
  for await (const part of sheetParts(book.sheets, maxRows)) {
    written.push(await writeSheet({ spool: sheets, strings: table, dates }, part, written.length));
    assertFits(sheets.size() + strings.size(), maxBytes);
  }
  await table.finish();

  const end = record('EOF');
  const head = workbookHead(written, dates, strings.size() + end.length);
  const size = head.length + strings.size() + end.length + sheets.size();
  assertFits(size, maxBytes);
  await writeFile(path, compoundFile('Workbook', size, streamOf(head, strings, end, sheets)), { flag: 'wx' });
}

function assertFits(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const problem = `'XLS' holds ${maxBytes} bytes and this report has more. Try: CSV or JSON, or a report with fewer issues.`;
  throw badRequestAs('too-large', about('outputType', problem), { most: maxBytes });
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

const SECTOR_BYTES = 512;

/** Sector numbers that stand in one sector of the allocation table. */
const PER_SECTOR = SECTOR_BYTES / 4;

/** Sectors of the allocation table that the header itself can name. */
const IN_HEADER = 109;

/** Shorter streams would have to lie in the mini stream, which we do without. */
const MIN_STREAM_BYTES = 4096;

const FREE = 0xffffffff;

const END_OF_CHAIN = 0xfffffffe;

const TABLE_SECTOR = 0xfffffffd;

const DIRECTORY_OF_TABLE_SECTOR = 0xfffffffc;

/** Numbers of sectors, by what they hold; in the file they follow each other in this order. */
interface Layout {
  readonly stream: number;
  readonly directory: number;
  readonly difat: number;
  readonly fat: number;
}

/**
 * A compound file (version 3) around one stream of 1 to `MAX_STREAM_BYTES` bytes; `size` is their number, known
 * beforehand. A stream that is too short gets zeros behind it. Rules: [MS-CFB]. The library cfb would
 * hold the stream in memory twice.
 */
export async function* compoundFile(
  name: string,
  size: number,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const padded = Math.max(size, MIN_STREAM_BYTES);
  const layout = layOut(Math.ceil(padded / SECTOR_BYTES));
  yield header(layout);
  let written = 0;
  for await (const chunk of stream) {
    written += chunk.length;
    yield chunk;
  }
  if (written !== size) throw new Error(`The stream has ${written} bytes instead of ${size}`);
  yield new Uint8Array(layout.stream * SECTOR_BYTES - size);
  yield directory(name, padded);
  yield sectorsOf(difat(layout), layout.difat);
  yield sectorsOf(fat(layout), layout.fat);
}

/** The allocation table has an entry for every sector, its own and those of the list that names them (DIFAT) too. */
function layOut(stream: number): Layout {
  const directory = 1;
  for (let fat = 1, difat = 0; ; fat++) {
    difat = Math.ceil(Math.max(0, fat - IN_HEADER) / (PER_SECTOR - 1));
    const least = Math.ceil((stream + directory + difat + fat) / PER_SECTOR);
    if (least <= fat) return { stream, directory, difat, fat };
    fat = least - 1;
  }
}

function header({ stream, directory, difat, fat }: Layout): Uint8Array {
  const bytes = Buffer.alloc(SECTOR_BYTES, 0);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x003e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt16LE(6, 32);
  const firstFat = stream + directory + difat;
  const longs = [
    fat,
    stream,
    0,
    MIN_STREAM_BYTES,
    END_OF_CHAIN,
    0,
    difat === 0 ? END_OF_CHAIN : stream + directory,
    difat,
    ...Array.from({ length: IN_HEADER }, (_, index) => (index < fat ? firstFat + index : FREE)),
  ];
  for (const [index, value] of longs.entries()) bytes.writeUInt32LE(value, 44 + index * 4);
  return bytes;
}

function directory(name: string, size: number): Uint8Array {
  const bytes = Buffer.alloc(SECTOR_BYTES, 0);
  const entries = [
    { name: 'Root Entry', type: 5, child: 1, start: END_OF_CHAIN, size: 0 },
    { name, type: 2, child: FREE, start: 0, size },
    { name: '', type: 0, child: FREE, start: 0, size: 0 },
    { name: '', type: 0, child: FREE, start: 0, size: 0 },
  ];
  for (const [index, entry] of entries.entries()) {
    const at = index * 128;
    bytes.write(entry.name, at, 'utf16le');
    bytes.writeUInt16LE(entry.name === '' ? 0 : (entry.name.length + 1) * 2, at + 64);
    bytes.writeUInt8(entry.type, at + 66);
    bytes.writeUInt8(1, at + 67);
    for (const [sibling, value] of [FREE, FREE, entry.child].entries()) {
      bytes.writeUInt32LE(value, at + 68 + sibling * 4);
    }
    bytes.writeUInt32LE(entry.start, at + 116);
    bytes.writeUInt32LE(entry.size, at + 120);
  }
  return bytes;
}

/** The sectors of the allocation table that the header has no room for; the last entry of a sector names the next. */
function* difat({ stream, directory, difat, fat }: Layout): Generator<number> {
  const first = stream + directory;
  for (let sector = 0; sector < difat; sector++) {
    for (let entry = 0; entry < PER_SECTOR - 1; entry++) {
      const index = IN_HEADER + sector * (PER_SECTOR - 1) + entry;
      yield index < fat ? first + difat + index : FREE;
    }
    yield sector === difat - 1 ? END_OF_CHAIN : first + sector + 1;
  }
}

/** The sector that follows each one. */
function* fat({ stream, directory, difat, fat }: Layout): Generator<number> {
  for (let sector = 1; sector < stream; sector++) yield sector;
  yield END_OF_CHAIN;
  for (let sector = 0; sector < directory; sector++) yield END_OF_CHAIN;
  for (let sector = 0; sector < difat; sector++) yield DIRECTORY_OF_TABLE_SECTOR;
  for (let sector = 0; sector < fat; sector++) yield TABLE_SECTOR;
}

function sectorsOf(entries: Iterable<number>, sectors: number): Uint8Array {
  const bytes = Buffer.alloc(sectors * SECTOR_BYTES, 0xff);
  let at = 0;
  for (const entry of entries) at = bytes.writeUInt32LE(entry, at);
  return bytes;
}
