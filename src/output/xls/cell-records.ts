import { recordTypes } from './record-types.ts';

const { LABELSST, NUMBER, RK } = recordTypes;

/** No cell needs more bytes. */
export const MOST_CELL_BYTES = 18;

/**
 * Writes a cell with the text at a place among the shared strings; returns where the next record begins. Rows and
 * columns are counted from 0, a format is the index of an XF record. [MS-XLS] 2.4.149.
 */
export function writeText(
  bytes: Buffer,
  at: number,
  row: number,
  column: number,
  format: number,
  index: number,
): number {
  return bytes.writeUInt32LE(index, writeHead(bytes, at, LABELSST, 10, row, column, format));
}

/** Writes a cell with a finite number, in the short form (RK) where it is exact. [MS-XLS] 2.4.180, 2.4.220. */
export function writeNumber(
  bytes: Buffer,
  at: number,
  row: number,
  column: number,
  format: number,
  value: number,
): number {
  const short = rk(value);
  return short === null
    ? bytes.writeDoubleLE(value, writeHead(bytes, at, NUMBER, 14, row, column, format))
    : bytes.writeInt32LE(short, writeHead(bytes, at, RK, 10, row, column, format));
}

function writeHead(
  bytes: Buffer,
  at: number,
  type: number,
  length: number,
  row: number,
  column: number,
  format: number,
): number {
  bytes.writeUInt16LE(type, at);
  bytes.writeUInt16LE(length, at + 2);
  bytes.writeUInt16LE(row, at + 4);
  bytes.writeUInt16LE(column, at + 6);
  return bytes.writeUInt16LE(format, at + 8);
}

/** A number of 30 bits, whole or in hundredths; the two lowest bits tell which. [MS-XLS] 2.5.217. */
function rk(value: number): number | null {
  if (isShort(value)) return (value << 2) | 2;
  const hundredths = Math.round(value * 100);
  return isShort(hundredths) && hundredths / 100 === value ? (hundredths << 2) | 3 : null;
}

function isShort(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 29) && value < 2 ** 29;
}
