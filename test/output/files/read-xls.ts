import { read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import cfb from 'cfb';
import { createXls } from '../../../src/output/files/xls.ts';
import { recordTypes } from '../../../src/output/spreadsheet/xls-records.ts';
import type { FileFormat, Sheet, SheetColumn, SheetRow, Workbook } from '../../../src/output/workbook.ts';
import { sheetOf, written } from './written.ts';

/** A sheet whose columns are told as title and kind, its rows in parts of seven. */
export function aSheet(
  name: string,
  columns: Readonly<Record<string, SheetColumn['kind']>>,
  rows: readonly SheetRow[],
): Sheet {
  const parts = Array.from({ length: Math.ceil(rows.length / 7) }, (_, i) => rows.slice(7 * i, 7 * i + 7));
  return sheetOf(name, columns, ...parts);
}

export const options = { byteOrderMark: false, compression: 1 };

type XlsLimits = Parameters<typeof createXls>[0];
type RecordName = keyof typeof recordTypes;

/** The format with smaller limits. */
export function aWriter(limits: Partial<XlsLimits>): FileFormat {
  return createXls({ maxRows: 65_536, maxBytes: 2 ** 31, ...limits });
}

/** The bytes of the file. */
export function xlsOf(book: Workbook, limits: Partial<XlsLimits> = {}): Promise<Buffer> {
  return written(aWriter(limits), book);
}

/** The file as the library reads it, number formats included. */
export function readBook(file: Buffer): WorkBook {
  return read(file, { type: 'buffer', cellNF: true, cellStyles: true });
}

/** Raw values, row by row, up to the last cell that is not empty; dates are not looked for. */
export function valuesOf(sheet: WorkSheet | undefined): unknown[][] {
  return sheet === undefined
    ? []
    : utils.sheet_to_json(sheet, { header: 1, rawNumbers: true, blankrows: true });
}

export interface StoredRecord {
  readonly name: RecordName | undefined;
  readonly bytes: Buffer;
}

/** The records of the file, the zeros behind them left out. */
export function recordsOf(file: Buffer): StoredRecord[] {
  const entry = cfb.find(cfb.read(file, { type: 'buffer' }), '/Workbook');
  return recordsIn(Buffer.from(entry?.content ?? []));
}

export function recordsNamed(file: Buffer, wanted: RecordName): StoredRecord[] {
  return recordsOf(file).filter(({ name }) => name === wanted);
}

export function recordsIn(stream: Buffer): StoredRecord[] {
  const records: StoredRecord[] = [];
  for (let at = 0; at < stream.length && stream.readUInt32LE(at) !== 0; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    records.push({ name: names.get(stream.readUInt16LE(at)), bytes: stream.subarray(at + 4, end) });
    at = end;
  }
  return records;
}

const names = new Map(
  Object.entries(recordTypes).map(([name, type]): [number, RecordName] => [type, name as RecordName]),
);
