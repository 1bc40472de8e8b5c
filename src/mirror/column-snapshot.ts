import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import type { YieldIfDue } from '../concurrency/cooperative-yield.ts';
import type { ColumnFacts } from '../engine/columns/column-parts.ts';
import { IssueColumns } from '../engine/columns/issue-columns.ts';
import { AppError } from '../model/error.ts';
import type { BlobStore, OpenBlob } from '../store/blobs.ts';
import { addStamp, type Stamps, stampsOf } from '../store/stamps.ts';

/** "DwellCol" in the machine's byte order, so that a file of another order is of no known format, and the format of the rest. */
const MAGIC = [0x6c657744, 0x6c6f436c] as const;
const FORMAT = 7;

/** The words of the header: both parts of the magic word, the format, length and checksum of the facts, checksum of the arrays, length of those (2). */
const HEADER_WORDS = 8;
const HEADER_BYTES = HEADER_WORDS * Uint32Array.BYTES_PER_ELEMENT;
const WORD = 2 ** 32;

/** The number of bytes that are read, written or summed up at once; some milliseconds. */
const PIECE_BYTES = 4 * 2 ** 20;

/** The age (ms) since its last write at which a draft counts as one of a process that died. */
const ABANDONED_MS = 600_000;

/** The number of drafts that this process has begun, so that two tables do not write to the same one. */
let drafts = 0;

/** A blob of columns, so that a start need not make them from the store. */
export interface ColumnSnapshot {
  /**
   * Loads the columns; null where there are none, where they have another format, and where they are of another store, or
   * of a later state of a store that was put back since. Fails where they are damaged.
   */
  load(pace: YieldIfDue): Promise<IssueColumns | null>;
  /**
   * Saves columns. False where nothing was saved because they changed meanwhile, or because `isOfStore` is false: the
   * database went back to an earlier state. With `isSteady` changes wait. Fails with an error of the disk; the blob of
   * before stays then.
   */
  save(
    columns: IssueColumns,
    how: {
      readonly pace: YieldIfDue;
      readonly isOfStore: () => Promise<boolean>;
      readonly isSteady: boolean;
    },
  ): Promise<boolean>;
}

/** The parts of a snapshot beside its arrays. `origin`: the program and the settings it was made with. */
interface SnapshotFacts {
  readonly origin: string;
  readonly stamp: string;
  readonly facts: ColumnFacts;
}

/**
 * Columns in a blob. `origin` names what the columns are made from: the tracker, and whatever decides what they hold; a blob
 * of another origin is as good as none. So is one whose stamp the store lacks: a store that has it had all issues at the
 * revision of the blob as the columns have them, and knows what has changed since. Its stamps have its name, without the end.
 */
export function createColumnSnapshot({
  blobs,
  name,
  origin,
  stamps,
  newStamp,
}: {
  readonly blobs: BlobStore;
  readonly name: string;
  readonly origin: () => Promise<string>;
  readonly stamps: Stamps;
  /** Makes a random word. */
  readonly newStamp: () => string;
}): ColumnSnapshot {
  const ofStamps = basename(name, '.bin');
  return {
    async load(pace) {
      const blob = await blobs.open(name);
      if (blob === null) return null;
      try {
        const stored = await readFacts(blob);
        if (stored === null || stored.origin !== (await origin())) return null;
        if (!(await stampsOf(stamps, ofStamps)).includes(stored.stamp)) return null;
        return await IssueColumns.fromSnapshot(
          stored.facts,
          (arrays) => readArrays(blob, arrays, { ...stored, pace }),
          pace,
        );
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
        throw new AppError(
          'store-unavailable',
          `The file ${blob.place} is damaged; columns are made from the store again.`,
          [],
          { cause: error },
        );
      } finally {
        await blob.close();
      }
    },
    async save(columns, { pace, isOfStore, isSteady }) {
      drafts += 1;
      const draft = await blobs.draft(`${name}.${process.pid}-${drafts}`);
      const stamp = newStamp();
      try {
        const handle = await open(draft, 'w', 0o600);
        try {
          const facts = { origin: await origin(), stamp, pace };
          const copy = () => write(handle, columns, facts);
          if (!(await (isSteady ? columns.reading(copy) : copy()))) return false;
        } finally {
          await handle.close();
        }
        await addStamp(stamps, ofStamps, { stamp });
        // A stamp of before a failover is lost with it; this one may come from after it, and the columns from before.
        if (!(await isOfStore())) return false;
        await blobs.put(name, draft);
      } finally {
        await blobs.discard(draft);
      }
      // Drafts of processes that died go.
      await blobs.sweepDrafts((other, ageMs) => other.startsWith(`${name}.`) && ageMs > ABANDONED_MS);
      return true;
    },
  };
}

async function readFacts(blob: OpenBlob) {
  const header = new Uint32Array(HEADER_WORDS);
  if (blob.bytes < HEADER_BYTES) throw new Damaged();
  await blob.read(new Uint8Array(header.buffer), 0);
  const [first, second, format, length = 0, factsSum, sum = 0, low = 0, high = 0] = header;
  const start = HEADER_BYTES + length;
  if (first !== MAGIC[0] || second !== MAGIC[1] || format !== FORMAT) return null;
  if (blob.bytes !== start + high * WORD + low) throw new Damaged();
  const bytes = new Uint8Array(length);
  await blob.read(bytes, HEADER_BYTES);
  if (crc32(bytes) !== factsSum) throw new Damaged();
  const facts: SnapshotFacts = JSON.parse(new TextDecoder().decode(bytes));
  return { ...facts, start, sum };
}

async function readArrays(
  blob: OpenBlob,
  arrays: readonly Uint8Array<SharedArrayBuffer>[],
  { start, sum, pace }: { start: number; sum: number; pace: YieldIfDue },
): Promise<void> {
  if (lengthOf(arrays) !== blob.bytes - start) throw new Damaged();
  let at = start;
  let read = 0;
  for (const piece of piecesOf(arrays)) {
    await blob.read(piece, at);
    at += piece.length;
    read = crc32(piece, read);
    await pace();
  }
  if (read !== sum) throw new Damaged();
}

/** Writes columns; false where they have changed meanwhile. */
async function write(
  handle: FileHandle,
  columns: IssueColumns,
  { origin, stamp, pace }: Pick<SnapshotFacts, 'origin' | 'stamp'> & { readonly pace: YieldIfDue },
): Promise<boolean> {
  const { version } = columns;
  const { facts, arrays } = columns.toSnapshot();
  const factBytes = new TextEncoder().encode(
    JSON.stringify({ origin, stamp, facts } satisfies SnapshotFacts),
  );
  let at = HEADER_BYTES + factBytes.length;
  let sum = 0;
  for (const piece of piecesOf(arrays)) {
    sum = crc32(piece, sum);
    await writeFully(handle, piece, at);
    at += piece.length;
    await pace();
    if (columns.version !== version) return false;
  }
  await writeFully(handle, factBytes, HEADER_BYTES);
  const length = lengthOf(arrays);
  const [low, high] = [length % WORD, Math.floor(length / WORD)];
  const header = Uint32Array.of(...MAGIC, FORMAT, factBytes.length, crc32(factBytes), sum, low, high);
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

/** Thrown where a file does not hold what was written to it. */
class Damaged extends Error {}

/** Reads as many bytes as there is room for; fails with `Damaged` where the file ends before. */
export async function readFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Damaged();
    done += bytesRead;
  }
}

/** Writes all of the bytes. */
export async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
