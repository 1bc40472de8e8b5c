import { BrokenJson } from './broken-json.ts';

/** One element of a JSON list, as text, and the byte at which it starts. */
export interface JsonElement {
  readonly text: string;
  readonly offset: number;
  /** The name of the answer's member that this is; null for an element of a list. */
  readonly member: string | null;
}

/** The element whose end has not come by yet: an object or list, a string, or a bare word such as a number. */
interface KeptElement {
  kind: 'none' | 'nested' | 'string' | 'word';
  readonly offset: number;
  /** `offset` counts from the start of the file, `from` from the start of the chunk. */
  start(kind: 'nested' | 'string' | 'word', offset: number, from: number, member?: string): void;
  /** Keeps what this chunk holds of it; the rest comes with the next chunk. */
  carry(chunk: Uint8Array): void;
  finish(chunk: Uint8Array, to: number): JsonElement;
}

/** Collects the bytes of one element after another over the borders of chunks; `longest` in bytes. */
export function keepElement(longest: number): KeptElement {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let from = 0;
  let offset = 0;
  let member: string | null = null;
  const take = (piece: Uint8Array) => {
    pieces.push(piece);
    length += piece.length;
    from = 0;
    if (length > longest) {
      throw new BrokenJson(`the entry that starts at byte ${offset} is longer than ${longest} bytes`);
    }
  };
  return {
    kind: 'none',
    get offset() {
      return offset;
    },
    start(kind, at, chunkFrom, named) {
      this.kind = kind;
      pieces = [];
      length = 0;
      from = chunkFrom;
      offset = at;
      member = named ?? null;
    },
    carry(chunk) {
      take(chunk.subarray(from));
    },
    finish(chunk, to) {
      take(chunk.subarray(from, to));
      this.kind = 'none';
      return { text: Buffer.concat(pieces).toString('utf8'), offset, member };
    },
  };
}
