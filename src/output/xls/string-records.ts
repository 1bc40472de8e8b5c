import { longs, MOST_RECORD_BYTES, RECORD_HEADER_BYTES } from './record.ts';
import { type RecordName, recordTypes } from './record-types.ts';
import { isWide } from './unicode-string.ts';

/** The length of a text and how it is stored; both stand in one record. */
const STRING_HEADER_BYTES = 3;

const MOST_BYTES = RECORD_HEADER_BYTES + MOST_RECORD_BYTES;

/** Where the counts of the table stand in its first record. */
export const COUNTS_POSITION = RECORD_HEADER_BYTES;

/** Lays texts one behind the other into the records of the shared string table. */
export interface StringRecords {
  /** Adds a text of at most 65,535 UTF-16 units. */
  readonly append: (text: string) => void;
  /** The records that are complete, in order; good until more is added. */
  readonly complete: () => Uint8Array;
  /** Leaves out what is complete from now on. */
  readonly forget: () => void;
  /** Completes the last record. Nothing may be added afterwards. */
  readonly finish: () => void;
}

/**
 * An SST record and the CONTINUE records behind it. A text that does not fit goes on in the next record, which then
 * tells anew how its characters are stored. [MS-XLS] 2.4.265, 2.5.293. The counts are zeros, to be written over.
 */
export function createStringRecords(): StringRecords {
  let bytes = Buffer.allocUnsafe(2 * MOST_BYTES);
  /** Where the record under way begins, where the next text goes, and what it may not reach over. */
  let [start, at, end] = [0, 0, 0];

  const begin = (name: RecordName) => {
    start = at;
    end = start + MOST_BYTES;
    if (end > bytes.length) bytes = Buffer.concat([bytes], 2 * end);
    at = bytes.writeUInt16LE(recordTypes[name], start) + 2;
  };
  const finish = () => {
    bytes.writeUInt16LE(at - start - RECORD_HEADER_BYTES, start + 2);
    start = at;
  };
  const goOn = () => {
    finish();
    begin('CONTINUE');
  };
  begin('SST');
  at += longs(0, 0).copy(bytes, at);
  return {
    append(text) {
      const wide = isWide(text);
      const unit = wide ? 2 : 1;
      // The first two units go with the header, so that a pair of surrogates need not be parted.
      if (at + STRING_HEADER_BYTES + Math.min(text.length, 2) * unit > end) goOn();
      at = bytes.writeUInt16LE(text.length, at);
      at = bytes.writeUInt8(wide ? 1 : 0, at);
      for (let done = 0; done < text.length; ) {
        if (done > 0) {
          goOn();
          at = bytes.writeUInt8(wide ? 1 : 0, at);
        }
        const next = pieceEnd(text, done + Math.floor((end - at) / unit));
        at += bytes.write(text.slice(done, next), at, wide ? 'utf16le' : 'latin1');
        done = next;
      }
    },
    complete: () => bytes.subarray(0, start),
    forget() {
      bytes.copyWithin(0, start, at);
      [start, at, end] = [0, at - start, end - start];
    },
    finish,
  };
}

/** Readers decode each record on its own, so a pair of surrogates stays together. */
function pieceEnd(text: string, most: number): number {
  if (most >= text.length) return text.length;
  const last = text.charCodeAt(most - 1);
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}
