import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asBytes, bitsOf, type HistoryArrays, newCodes, shared } from '../columns/column-arrays.ts';
import type { HistoryPart } from '../columns/field-part.ts';
import type { HistoryBits } from '../columns/history-column.ts';
import { makeOwnFolder, readFully, writeFully } from './file-bytes.ts';

/** The history of a field in all issues, as they were at a revision. */
export interface SpilledHistory {
  readonly revision: number;
  /** The store's numbers of the issues, in the order of the part; 0 where there is none any more. */
  readonly ids: Uint32Array;
  readonly part: HistoryPart;
}

/** Keeps histories for which there is no room in memory, as long as the process lives. */
export interface HistorySpill {
  /** Takes the place of what was kept of the field. It is written while others go on; one that cannot be is not kept. */
  put(field: string, history: SpilledHistory): void;
  /** What is kept of a field; null of nothing, and of what cannot be read. */
  find(field: string): Promise<SpilledHistory | null>;
  close(): Promise<void>;
}

/** A history whose arrays are in a file. */
interface WrittenHistory extends Pick<HistoryPart, 'values' | 'authors'> {
  readonly handle: FileHandle;
  readonly rows: number;
  readonly visits: number;
  readonly bits: HistoryBits;
}

interface Entry {
  readonly revision: number;
  readonly written: Promise<WrittenHistory | null>;
}

/** Of a million issues a file has some forty megabytes. */
const MAX_FILES = 24;

/**
 * Histories in files that lose their name (`file` and a number) as soon as they are open: what is in them goes with the process,
 * however that ends. `onProblem` is called with what fails.
 */
export function createHistorySpill({
  file,
  onProblem,
}: {
  readonly file: string;
  readonly onProblem: (error: unknown) => void;
}): HistorySpill {
  /** By field, the one that was put or found last at the end. */
  const entries = new Map<string, Entry>();
  let isClosed = false;
  let files = 0;

  async function openUnnamed(): Promise<FileHandle> {
    await makeOwnFolder(dirname(file));
    files += 1;
    const name = `${file}.${process.pid}-${files}.new`;
    const handle = await open(name, 'wx+', 0o600);
    await rm(name);
    return handle;
  }

  async function write({ ids, part: { arrays, values, authors } }: SpilledHistory): Promise<WrittenHistory> {
    const handle = await openUnnamed();
    try {
      const [rows, visits] = [ids.length, arrays.authors.length];
      await eachPiece(ids, arrays, (bytes, place) => writeFully(handle, bytes, place));
      const bits = { codes: bitsOf(arrays.codes), authors: bitsOf(arrays.authors) };
      return { handle, values, authors, rows, visits, bits };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  function drop(field: string): Promise<void> {
    const entry = entries.get(field);
    entries.delete(field);
    return entry?.written.then((written) => written?.handle.close()) ?? Promise.resolve();
  }

  return {
    put(field, history) {
      if (isClosed || entries.get(field)?.revision === history.revision) return;
      drop(field).catch(onProblem);
      const written = write(history).catch((error: unknown) => {
        onProblem(error);
        return null;
      });
      entries.set(field, { revision: history.revision, written });
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_FILES) break;
        drop(oldest).catch(onProblem);
      }
    },
    async find(field) {
      const entry = entries.get(field);
      const written = (await entry?.written) ?? null;
      if (entry === undefined || written === null) return null;
      entries.delete(field);
      entries.set(field, entry);
      try {
        return { revision: entry.revision, ...(await read(written)) };
      } catch (error) {
        if (!isClosed) onProblem(error);
        return null;
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...entries.keys()].map(drop));
    },
  };
}

async function read({
  handle,
  rows,
  visits,
  bits,
  values,
  authors,
}: WrittenHistory): Promise<Omit<SpilledHistory, 'revision'>> {
  const ids = shared(Uint32Array, rows);
  const arrays = {
    at: shared(Uint32Array, rows),
    count: shared(Uint16Array, rows),
    flags: shared(Uint8Array, rows),
    starts: shared(Float64Array, visits),
    codes: newCodes(visits, bits.codes),
    authors: newCodes(visits, bits.authors),
  };
  await eachPiece(ids, arrays, (bytes, place) => readFully(handle, bytes, place));
  return { ids, part: { arrays, values, authors } };
}

/** The bytes of all arrays one after the other, as long as they are used, with their places in the file. */
async function eachPiece(
  ids: Uint32Array,
  { at, count, flags, starts, codes, authors }: HistoryArrays,
  use: (bytes: Uint8Array, place: number) => Promise<void>,
): Promise<void> {
  let place = 0;
  const byRow = [at, count, flags].map((array) => array.subarray(0, ids.length));
  for (const array of [starts, ids, codes, authors, ...byRow]) {
    const bytes = asBytes(array);
    await use(bytes, place);
    place += bytes.length;
  }
}
