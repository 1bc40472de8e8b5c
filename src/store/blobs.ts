import { AppError } from '../model/error.ts';

/** A blob that is open: it can be read to its end, also once it was removed or replaced. */
export interface OpenBlob {
  /** The place of the blob, as people read it, such as a path. */
  readonly place: string;
  /** The file of this machine that the blob is; null where it is elsewhere. */
  readonly file: string | null;
  /** The size in bytes. */
  readonly bytes: number;
  /** Fills all of `into` with what stands at a position, in bytes; fails where the blob ends before. */
  read(into: Uint8Array, position: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Files of a tenant by name. A blob is written as a draft on this machine, and has its name only once all of it is there and
 * safe from a power cut. What is not a file of this machine keeps its promise to those who read for `MIN_READ_MS` only.
 */
export interface BlobStore {
  /** The path of a draft, which is not made yet; `name` is to be no other draft's. */
  draft(name: string): Promise<string>;
  /** Puts a draft under a name, in place of what was there; the draft is gone then. */
  put(name: string, draft: string): Promise<void>;
  /** Takes away a draft and what was written beside it, as far as it is there. */
  discard(draft: string): Promise<void>;
  /**
   * Takes away drafts by their name and how long ago (ms) they were last written to, which the disk's own clock says, and a
   * bounded part of what no name leads to any more.
   */
  sweepDrafts(isMeant: (name: string, ageMs: number) => Promise<boolean> | boolean): Promise<void>;
  /** Null where there is none. */
  open(name: string): Promise<OpenBlob | null>;
  /** The names of all blobs, of no draft. */
  names(): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
}

/** The time (ms) for which a blob can still be read after it was removed or replaced, where it is no file of this machine. */
export const MIN_READ_MS = 3_600_000;

/** A blob that comes in parts of one size, but for the last. */
interface BlobInParts {
  readonly place: string;
  readonly bytes: number;
  readonly partBytes: number;
  readonly load: (number: number) => Promise<Uint8Array>;
}

/** Opens a blob that comes in parts. The part that was read last stays in memory, for a reader goes from begin to end. */
export function openParts({ place, bytes, partBytes, load }: BlobInParts): OpenBlob {
  let last: { readonly number: number; readonly part: Promise<Uint8Array> } | null = null;
  async function partOf(number: number): Promise<Uint8Array> {
    if (last?.number !== number) last = { number, part: load(number) };
    const { part } = last;
    try {
      return await part;
    } catch (error) {
      if (last?.part === part) last = null;
      throw error;
    }
  }
  return {
    place,
    bytes,
    file: null,
    async read(into, position) {
      for (let done = 0; done < into.length; ) {
        const at = position + done;
        const part = at < bytes ? await partOf(Math.floor(at / partBytes)) : new Uint8Array();
        const start = at % partBytes;
        const piece = part.subarray(start, start + into.length - done);
        if (piece.length === 0) throw new Error(`${place} ends too early.`);
        into.set(piece, done);
        done += piece.length;
      }
    },
    async close() {
      last = null;
    },
  };
}

/** Returns the failure of a put whose process slept until its writes had been swept. */
export function putTooLate(): AppError {
  return new AppError(
    'store-unavailable',
    'A file was not stored: writing it stopped for more than an hour.',
  );
}
