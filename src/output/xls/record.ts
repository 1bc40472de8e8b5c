import { type RecordName, recordTypes } from './record-types.ts';

/** No BIFF8 record holds more bytes; what is longer goes on in CONTINUE records. [MS-XLS] 2.1.4. */
export const MOST_RECORD_BYTES = 8224;

/** The type and the length of a record, which stand before its bytes. */
export const RECORD_HEADER_BYTES = 4;

/** A record of BIFF8, with CONTINUE records behind it where its parts are longer than one can be. */
export function record(name: RecordName, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const pieces = [
    words(recordTypes[name], Math.min(body.length, MOST_RECORD_BYTES)),
    body.subarray(0, MOST_RECORD_BYTES),
  ];
  for (let at = MOST_RECORD_BYTES; at < body.length; at += MOST_RECORD_BYTES) {
    const piece = body.subarray(at, at + MOST_RECORD_BYTES);
    pieces.push(words(recordTypes.CONTINUE, piece.length), piece);
  }
  return Buffer.concat(pieces);
}

/** Unsigned 16-bit numbers, the lower byte first. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

/** Unsigned 32-bit numbers, the lowest byte first. */
export function longs(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

/** A 64-bit floating-point number. */
export function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
