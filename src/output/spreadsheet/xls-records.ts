import { type FileHandle, open } from 'node:fs/promises';

/** No BIFF8 record holds more bytes; what is longer goes on in CONTINUE records. [MS-XLS] 2.1.4. */
const MAX_RECORD_BYTES = 8224;

/** The type and the length of a record, which stand before its bytes. */
const RECORD_HEADER_BYTES = 4;

type RecordName = keyof typeof recordTypes;

/** A record of BIFF8, with CONTINUE records behind it where its parts are longer than one can be. */
export function record(name: RecordName, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const pieces = [
    uint16s(recordTypes[name], Math.min(body.length, MAX_RECORD_BYTES)),
    body.subarray(0, MAX_RECORD_BYTES),
  ];
  for (let at = MAX_RECORD_BYTES; at < body.length; at += MAX_RECORD_BYTES) {
    const piece = body.subarray(at, at + MAX_RECORD_BYTES);
    pieces.push(uint16s(recordTypes.CONTINUE, piece.length), piece);
  }
  return Buffer.concat(pieces);
}

/** Unsigned 16-bit numbers, the lower byte first. */
export function uint16s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

/** Unsigned 32-bit numbers, the lowest byte first. */
export function uint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

/** A 64-bit floating-point number. */
export function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

/** True if a text needs two bytes a character; all else is stored with one, as the lower byte. [MS-XLS] 2.5.294. */
function isWide(text: string): boolean {
  return /[^\0-\xff]/.test(text);
}

/** A text of at most 255 characters: its length in one byte, how it is stored, its characters. */
export function shortString(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), characters(text)]);
}

/** A text of at most 65,535 characters: its length in two bytes, how it is stored, its characters. */
export function longString(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length & 0xff, text.length >> 8), characters(text)]);
}

function characters(text: string): Buffer {
  const wide = isWide(text);
  return Buffer.concat([Buffer.of(wide ? 1 : 0), Buffer.from(text, wide ? 'utf16le' : 'latin1')]);
}

/** Bytes that are written, and read, at once. */
export const CHUNK_BYTES = 2 ** 18;

/** Texts of a generation; those of the last two are recognised when they come again. */
const GENERATION = 2 ** 12;

/** Longer texts hardly ever come twice, and would fill the memory. */
const MAX_RECOGNISED = 256;

/** The one table of a file into which all its cells with text point. */
export interface SharedStrings {
  /** The place in the table of a text of at most 65,535 UTF-16 units. */
  readonly indexOf: (text: string) => number;
  /** True if `write` should be called before more texts are added. */
  readonly isFull: () => boolean;
  readonly write: () => Promise<void>;
  /** Writes what is left, and the counts. Nothing may come afterwards. */
  readonly finish: () => Promise<void>;
}

/**
 * Fills an empty spool with the records of the table. Only texts that came lately are recognised, so the table may
 * hold a text twice: memory stays the same however many there are.
 */
export function createSharedStrings(spool: Spool): SharedStrings {
  const records = createStringRecords();
  let older = new Map<string, number>();
  let recent = new Map<string, number>();
  let cells = 0;
  let texts = 0;

  const add = (text: string) => {
    records.append(text);
    return texts++;
  };
  const write = async () => {
    await spool.append(records.complete());
    records.forget();
  };
  return {
    indexOf(text) {
      cells++;
      if (text.length > MAX_RECOGNISED) return add(text);
      const known = recent.get(text);
      if (known !== undefined) return known;
      const index = older.get(text) ?? add(text);
      if (recent.size === GENERATION) {
        older = recent;
        recent = new Map();
      }
      recent.set(text, index);
      return index;
    },
    isFull: () => records.complete().length >= CHUNK_BYTES,
    write,
    async finish() {
      records.finish();
      await write();
      await spool.patch(COUNTS_POSITION, uint32s(cells, texts));
    },
  };
}

/** The length of a text and how it is stored; both stand in one record. */
const STRING_HEADER_BYTES = 3;

const MAX_BYTES = RECORD_HEADER_BYTES + MAX_RECORD_BYTES;

/** The offset of the table's counts in its first record. */
const COUNTS_POSITION = RECORD_HEADER_BYTES;

/** Lays texts one behind the other into the records of the shared string table. */
interface StringRecords {
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
 * says again how its characters are stored. [MS-XLS] 2.4.265, 2.5.293. The counts are zeros, to be written over.
 */
export function createStringRecords(): StringRecords {
  let bytes = Buffer.allocUnsafe(2 * MAX_BYTES);
  /** The begin of the record under way, the place of the next text, and the end it may not reach over. */
  let [start, at, end] = [0, 0, 0];

  const begin = (name: RecordName) => {
    start = at;
    end = start + MAX_BYTES;
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
  at += uint32s(0, 0).copy(bytes, at);
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
function pieceEnd(text: string, max: number): number {
  if (max >= text.length) return text.length;
  const last = text.charCodeAt(max - 1);
  return last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
}

/** A file beside the target that holds a part of it until the parts before it are known. */
export interface Spool {
  /** Bytes written so far. */
  readonly size: () => number;
  /** Adds bytes at the end; they may be used for something else afterwards. */
  readonly append: (bytes: Uint8Array) => Promise<void>;
  /** Writes over bytes that are there already, from `position` on. */
  readonly patch: (position: number, bytes: Uint8Array) => Promise<void>;
  /** All records in order. Each chunk is good until the next one is requested. */
  readonly read: () => AsyncGenerator<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** Fails when the file is there already. */
export async function openSpool(path: string): Promise<Spool> {
  const file = await open(path, 'wx+');
  let size = 0;
  return {
    size: () => size,
    append: async (bytes) => {
      await writeAll(file, bytes, size);
      size += bytes.length;
    },
    patch: (position, bytes) => writeAll(file, bytes, position),
    read: () => readAll(file, size),
    close: () => file.close(),
  };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function* readAll(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error(`The spool ended after ${at} of ${size} bytes`);
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** Types of records by the names that the documents of BIFF and LibreOffice give them. [MS-XLS] 2.3.1. */
export const recordTypes = {
  EOF: 0x000a,
  CALCCOUNT: 0x000c,
  CALCMODE: 0x000d,
  PRECISION: 0x000e,
  REFMODE: 0x000f,
  DELTA: 0x0010,
  ITERATION: 0x0011,
  PROTECT: 0x0012,
  PASSWORD: 0x0013,
  HEADER: 0x0014,
  FOOTER: 0x0015,
  EXTERNSHEET: 0x0017,
  NAME: 0x0018,
  WINDOWPROTECT: 0x0019,
  SELECTION: 0x001d,
  DATEMODE: 0x0022,
  PRINTHEADERS: 0x002a,
  PRINTGRID: 0x002b,
  FONT: 0x0031,
  CONTINUE: 0x003c,
  WINDOW1: 0x003d,
  BACKUP: 0x0040,
  PANE: 0x0041,
  CODEPAGE: 0x0042,
  DEFCOLWIDTH: 0x0055,
  WRITEACCESS: 0x005c,
  OBJ: 0x005d,
  SAVERECALC: 0x005f,
  COLINFO: 0x007d,
  GUTS: 0x0080,
  WSBOOL: 0x0081,
  GRIDSET: 0x0082,
  HCENTER: 0x0083,
  VCENTER: 0x0084,
  BOUNDSHEET: 0x0085,
  HIDEOBJ: 0x008d,
  FNGROUPCOUNT: 0x009c,
  AUTOFILTERINFO: 0x009d,
  SETUP: 0x00a1,
  MMS: 0x00c1,
  BOOKBOOL: 0x00da,
  XF: 0x00e0,
  INTERFACEHDR: 0x00e1,
  INTERFACEEND: 0x00e2,
  MSODRAWINGGROUP: 0x00eb,
  MSODRAWING: 0x00ec,
  SST: 0x00fc,
  LABELSST: 0x00fd,
  TABID: 0x013d,
  DSF: 0x0161,
  SUPBOOK: 0x01ae,
  PROT4REV: 0x01af,
  REFRESHALL: 0x01b7,
  PROT4REVPASS: 0x01bc,
  DIMENSIONS: 0x0200,
  NUMBER: 0x0203,
  DEFAULTROWHEIGHT: 0x0225,
  WINDOW2: 0x023e,
  RK: 0x027e,
  STYLE: 0x0293,
  FORMAT: 0x041e,
  BOF: 0x0809,
} as const;
