import { type FileHandle, open, rm } from 'node:fs/promises';
import { asBytes, bitsOf, type HistoryArrays, newCodes, shared } from '../engine/columns/column-arrays.ts';
import type { HistoryPart } from '../engine/columns/field-part.ts';
import type { HistoryBits } from '../engine/columns/history-column.ts';
import type { BlobStore } from '../store/blobs.ts';
import { readFully, writeFully } from './column-snapshot.ts';

/** The history of a field in all issues, as they were at a revision. */
interface SpilledHistory {
  readonly revision: number;
  /** The store's numbers of the issues, in the order of the part; 0 where an issue is gone. */
  readonly ids: Uint32Array;
  readonly part: HistoryPart;
}

/** Histories for which there is no room in memory, as long as the process lives. */
export interface HistorySpill {
  /** Replaces the history of a field, which is written in the background; one that cannot be written is dropped. */
  put(field: string, history: SpilledHistory): void;
  /** Returns the history of a field, or null where there is none or its file cannot be read. */
  find(field: string): Promise<SpilledHistory | null>;
  close(): Promise<void>;
}

/**
 * A history whose arrays are in a file, with their lengths and the bits of codes. Histories of statuses and assignees have
 * no codes of their own.
 */
interface WrittenHistory extends Pick<HistoryPart, 'values' | 'authors'> {
  readonly handle: FileHandle;
  readonly sizes: { readonly rows: number; readonly authors: number; readonly codes: number };
  readonly bits: HistoryBits;
}

interface Entry {
  readonly revision: number;
  readonly values: number;
  readonly written: Promise<WrittenHistory | null>;
}

/** The number of files at once; of a million issues one has about 30 MB. */
const MAX_FILES = 24;

/** The number of values of all histories together, which stay in memory. */
const MAX_VALUES = 100_000;

/**
 * Histories in drafts (`name` and a number) that lose their name as soon as they are open: what is in them goes with the process,
 * however that ends. `onProblem` is called with what fails.
 */
export function createHistorySpill({
  blobs,
  name,
  onProblem,
}: {
  readonly blobs: Pick<BlobStore, 'draft'>;
  readonly name: string;
  readonly onProblem: (error: unknown) => void;
}): HistorySpill {
  /** Entries by field, the one used last at the end. */
  const entries = new Map<string, Entry>();
  let isClosed = false;
  let files = 0;

  async function openUnnamed(): Promise<FileHandle> {
    files += 1;
    const draft = await blobs.draft(`${name}.${process.pid}-history-${files}`);
    const handle = await open(draft, 'wx+', 0o600);
    try {
      await rm(draft);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  }

  async function write({ ids, part: { arrays, values, authors } }: SpilledHistory): Promise<WrittenHistory> {
    const handle = await openUnnamed();
    try {
      await eachPiece(ids, arrays, (bytes, offset) => writeFully(handle, bytes, offset));
      const { codes, authors: by } = arrays;
      const sizes = { rows: ids.length, authors: by.length, codes: codes.length };
      return { handle, values, authors, sizes, bits: { codes: bitsOf(codes), authors: bitsOf(by) } };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async function drop(field: string): Promise<void> {
    const entry = entries.get(field);
    entries.delete(field);
    const written = await entry?.written;
    await written?.handle.close().catch(onProblem);
  }

  /** Drops the entries used least of late until there is room for all others. */
  function makeRoom(): void {
    let values = 0;
    for (const entry of entries.values()) values += entry.values;
    for (const [oldest, entry] of entries) {
      if (entries.size <= MAX_FILES && values <= MAX_VALUES) return;
      values -= entry.values;
      void drop(oldest);
    }
  }

  return {
    put(field, history) {
      if (isClosed || entries.get(field)?.revision === history.revision) return;
      void drop(field);
      const values = history.part.values.length;
      if (values > MAX_VALUES) return;
      const written = write(history).catch((error: unknown) => {
        onProblem(error);
        if (entries.get(field) === entry) entries.delete(field);
        return null;
      });
      const entry: Entry = { revision: history.revision, values, written };
      entries.set(field, entry);
      makeRoom();
    },
    async find(field) {
      const entry = entries.get(field);
      const written = (await entry?.written) ?? null;
      // Another history of the field may have taken its place meanwhile.
      if (entry === undefined || written === null || entries.get(field) !== entry) return null;
      entries.delete(field);
      entries.set(field, entry);
      try {
        return { revision: entry.revision, ...(await read(written)) };
      } catch (error) {
        if (isClosed) return null;
        onProblem(error);
        await drop(field);
        return null;
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...entries.keys()].map(drop));
    },
  };
}

async function read({ handle, sizes, bits, values, authors }: WrittenHistory) {
  const { rows } = sizes;
  const ids = shared(Uint32Array, rows);
  const arrays = {
    at: shared(Uint32Array, rows),
    count: shared(Uint16Array, rows),
    flags: shared(Uint8Array, rows),
    starts: shared(Float64Array, sizes.codes),
    codes: newCodes(sizes.codes, bits.codes),
    authors: newCodes(sizes.authors, bits.authors),
  };
  await eachPiece(ids, arrays, (bytes, offset) => readFully(handle, bytes, offset));
  return { ids, part: { arrays, values, authors } };
}

/** Calls `use` with the bytes of one array after the other, as far as they are used, and their offset in the file. */
async function eachPiece(
  ids: Uint32Array,
  { at, count, flags, starts, codes, authors }: HistoryArrays,
  use: (bytes: Uint8Array, offset: number) => Promise<void>,
): Promise<void> {
  let offset = 0;
  const byRow = [at, count, flags].map((array) => array.subarray(0, ids.length));
  for (const array of [starts, ids, codes, authors, ...byRow]) {
    const bytes = asBytes(array);
    await use(bytes, offset);
    offset += bytes.length;
  }
}
