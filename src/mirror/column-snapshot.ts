import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { IssueColumns } from '../columns/issue-columns.ts';
import type { ColumnFacts } from '../columns/snapshot-form.ts';
import type { YieldIfDue } from '../concurrency/cooperative-yield.ts';
import { AppError } from '../model/error.ts';
import { systemCode } from '../model/system-error.ts';
import type { StampStore } from '../store/store.ts';
import { Damaged, makeOwnFolder, readFully, writeFully } from './file-bytes.ts';

/** "DwellCol", and which form the rest has. In the machine's byte order: a file of another order is of no form we know. */
const MAGIC = [0x6c657744, 0x6c6f436c] as const;
const FORMAT = 6;

/** Both parts of the magic word, the form, length and checksum of the facts, checksum of the arrays, length of those (2). */
const HEADER_WORDS = 8;
const HEADER_BYTES = HEADER_WORDS * Uint32Array.BYTES_PER_ELEMENT;
const WORD = 2 ** 32;

/** Read, written or summed up at once; a few milliseconds. */
const PIECE_BYTES = 4 * 2 ** 20;

/** A temporary file so much older (ms) than one that was just written is of a process that died. */
const ABANDONED_MS = 600_000;

/** How many files this process has begun: two tables of one folder do not write to the same one. */
let temporaryFiles = 0;

/** A file that keeps columns, so that a start need not make them from the store. */
export interface ColumnSnapshot {
  /**
   * The columns as they were kept; null where there are none, where they are of another form, and where they are of another
   * store, or of a later state of one that was put back since. Fails where they are damaged.
   */
  load(rest: YieldIfDue): Promise<IssueColumns | null>;
  /**
   * Keeps them. False where they changed meanwhile, in which case nothing was; so it never does where nobody may write
   * until it is done. Fails with an error of the disk; what was kept before stays then.
   */
  save(columns: IssueColumns, rest: YieldIfDue): Promise<boolean>;
}

/** What of a snapshot is no array. `origin`: the program and the settings it was made with. */
interface Kept {
  readonly origin: string;
  readonly stamp: string;
  readonly facts: ColumnFacts;
}

/**
 * Columns in a file. `origin` names what the columns are made from: the tracker, and whatever decides what they hold; a file
 * of another origin is as good as none. So is one whose stamp the store lacks: a store that has it had all issues at the
 * revision of the file as the columns have them, and knows what has changed since. A file is complete or is not there: it
 * gets its name when all of it is on the disk.
 */
export function createColumnSnapshot({
  file,
  origin,
  stamps,
  newStamp,
}: {
  readonly file: string;
  readonly origin: () => Promise<string>;
  readonly stamps: StampStore;
  /** Makes a random word. */
  readonly newStamp: () => string;
}): ColumnSnapshot {
  return {
    async load(rest) {
      const handle = await openIfThere(file);
      if (handle === null) return null;
      try {
        const { size } = await handle.stat();
        const kept = await readKept(handle, size);
        if (kept === null || kept.origin !== (await origin())) return null;
        if (!(await stamps.all()).includes(kept.stamp)) return null;
        return await IssueColumns.fromSnapshot(
          kept.facts,
          (arrays) => readArrays(handle, arrays, { ...kept, size, rest }),
          rest,
        );
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
        throw new AppError(
          'store-unavailable',
          `The file ${file} is damaged; columns are made from the store again.`,
          [],
          {
            cause: error,
          },
        );
      } finally {
        await handle.close();
      }
    },
    async save(columns, rest) {
      await makeOwnFolder(dirname(file));
      temporaryFiles += 1;
      const temporary = `${file}.${process.pid}-${temporaryFiles}.new`;
      const stamp = newStamp();
      try {
        const handle = await open(temporary, 'w', 0o600);
        try {
          if (!(await write(handle, columns, { origin: await origin(), stamp, rest }))) return false;
          await handle.sync();
        } finally {
          await handle.close();
        }
        await stamps.add(stamp, null);
        await rename(temporary, file);
      } finally {
        await rm(temporary, { force: true });
      }
      await removeAbandoned(file);
      return true;
    },
  };
}

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function readKept(
  handle: FileHandle,
  size: number,
): Promise<(Kept & { readonly start: number; readonly sum: number }) | null> {
  const header = new Uint32Array(HEADER_WORDS);
  if (size < HEADER_BYTES) throw new Damaged();
  await readFully(handle, new Uint8Array(header.buffer), 0);
  const [first, second, format, length = 0, factsSum, sum = 0, low = 0, high = 0] = header;
  const start = HEADER_BYTES + length;
  if (first !== MAGIC[0] || second !== MAGIC[1] || format !== FORMAT) return null;
  if (size !== start + high * WORD + low) throw new Damaged();
  const bytes = new Uint8Array(length);
  await readFully(handle, bytes, HEADER_BYTES);
  if (crc32(bytes) !== factsSum) throw new Damaged();
  const kept: Kept = JSON.parse(new TextDecoder().decode(bytes));
  return { ...kept, start, sum };
}

async function readArrays(
  handle: FileHandle,
  arrays: readonly Uint8Array<SharedArrayBuffer>[],
  { start, size, sum, rest }: { start: number; size: number; sum: number; rest: YieldIfDue },
): Promise<void> {
  if (lengthOf(arrays) !== size - start) throw new Damaged();
  let at = start;
  let read = 0;
  for (const piece of piecesOf(arrays)) {
    await readFully(handle, piece, at);
    at += piece.length;
    read = crc32(piece, read);
    await rest();
  }
  if (read !== sum) throw new Damaged();
}

/** False where the columns have changed before all was written. */
async function write(
  handle: FileHandle,
  columns: IssueColumns,
  { origin, stamp, rest }: Pick<Kept, 'origin' | 'stamp'> & { readonly rest: YieldIfDue },
): Promise<boolean> {
  const { version } = columns;
  const { facts, arrays } = columns.toSnapshot();
  const kept = new TextEncoder().encode(JSON.stringify({ origin, stamp, facts } satisfies Kept));
  let at = HEADER_BYTES + kept.length;
  let sum = 0;
  for (const piece of piecesOf(arrays)) {
    sum = crc32(piece, sum);
    await writeFully(handle, piece, at);
    at += piece.length;
    await rest();
    if (columns.version !== version) return false;
  }
  await writeFully(handle, kept, HEADER_BYTES);
  const length = lengthOf(arrays);
  const [low, high] = [length % WORD, Math.floor(length / WORD)];
  const header = Uint32Array.of(...MAGIC, FORMAT, kept.length, crc32(kept), sum, low, high);
  await writeFully(handle, new Uint8Array(header.buffer), 0);
  return columns.version === version;
}

function* piecesOf(arrays: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const array of arrays) {
    for (let start = 0; start < array.length; start += PIECE_BYTES) {
      yield array.subarray(start, start + PIECE_BYTES);
    }
  }
}

function lengthOf(arrays: readonly Uint8Array[]): number {
  return arrays.reduce((sum, { length }) => sum + length, 0);
}

/** Takes away what processes that died have left of the same file. */
async function removeAbandoned(file: string): Promise<void> {
  const { mtimeMs: savedAt } = await stat(file);
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(`${basename(file)}.`) || !name.endsWith('.new')) continue;
    const other = join(dirname(file), name);
    const made = await stat(other).catch(() => null);
    if (made !== null && savedAt - made.mtimeMs > ABANDONED_MS) await rm(other, { force: true });
  }
}
