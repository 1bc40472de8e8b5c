/** A blob that is open: it can be read to its end, also once it was removed or replaced. */
export interface OpenBlob {
  /** The place of the blob, as people read it, such as a path. */
  readonly place: string;
  /** How many bytes it has. */
  readonly bytes: number;
  /** Fills all of `into` with what stands at a position, in bytes; fails where the blob ends before. */
  read(into: Uint8Array, position: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Files of a tenant by name. A blob is written as a draft on this machine, and has its name only once all of it is there and
 * safe from a power cut.
 */
export interface BlobStore {
  /** The path of a draft, which is not made yet; `name` is to be no other draft's. */
  draft(name: string): Promise<string>;
  /** Puts a draft under a name, in place of what was there. */
  put(name: string, draft: string): Promise<void>;
  /** Takes away a draft and what was written beside it, as far as it is there. */
  discard(draft: string): Promise<void>;
  /** Takes away drafts by their name and how long ago (ms) they were last written to, which the disk's own clock says. */
  sweepDrafts(isMeant: (name: string, ageMs: number) => Promise<boolean> | boolean): Promise<void>;
  /** Null where there is none. */
  open(name: string): Promise<OpenBlob | null>;
  /** The names of all blobs, of no draft. */
  names(): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
}
