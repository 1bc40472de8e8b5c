import type { FieldContent } from '../../model/issue.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import { contentOf, type FieldwiseIssue } from '../../model/issues/issue-fields.ts';
import { copied, shared, type TextArrays } from './column-arrays.ts';

/** The size of what is no text, or too long to be held. */
export const NOT_HELD = 0xffffffff;

const PLACE_BITS = 24;
const PLACE = 2 ** PLACE_BITS - 1;

/** Chunks are as large as all before them, and never moved. */
const FIRST_CHUNK = 2 ** 12;
const MAX_CHUNK = 2 ** PLACE_BITS;

/** Texts beyond this number of bytes stay with their issues: of a million issues a line each fits in, pages of each do not. */
const MAX_BYTES = 2 ** 28;

/** A column of which so much lies idle, and more than a part of it, is to be read again. */
const MIN_GARBAGE = 2 ** 20;
const MAX_GARBAGE = 1 / 4;

const LAST_NARROW = 0xff;

/** The texts of one field, written row by row: a change costs its issue. */
export class TextColumn {
  #at: Uint32Array;
  #size: Uint32Array;
  #letters: Float64Array;
  readonly #chunks: Buffer[] = [];
  /** Bytes taken up in the last chunk, and in all. */
  #lastUsed = 0;
  #used = 0;
  #garbage = 0;

  constructor(capacity: number) {
    this.#at = shared(Uint32Array, capacity);
    this.#size = shared(Uint32Array, capacity).fill(NOT_HELD);
    this.#letters = shared(Float64Array, capacity).fill(NO_LETTERS);
  }

  get arrays(): TextArrays {
    return { at: this.#at, size: this.#size, letters: this.#letters, chunks: this.#chunks };
  }

  /** Too much lies idle: reading the texts again is better. */
  get isWasteful(): boolean {
    return this.#garbage > MIN_GARBAGE && this.#garbage > this.#used * MAX_GARBAGE;
  }

  /** The number of rows it has room for. */
  get capacity(): number {
    return this.#at.length;
  }

  grow(capacity: number): void {
    const before = this.capacity;
    this.#at = copied(this.#at, capacity);
    this.#size = copied(this.#size, capacity).fill(NOT_HELD, before);
    this.#letters = copied(this.#letters, capacity).fill(NO_LETTERS, before);
  }

  /** Puts a content; of one that is neither a text nor empty, only the issue shows it. */
  put(row: number, content: FieldContent): void {
    const isEmpty =
      content === null ||
      content === '' ||
      (typeof content === 'object' && 'length' in content && content.length === 0);
    if (typeof content !== 'string' || isEmpty) {
      this.forget(row);
      if (isEmpty) this.#size[row] = 0;
      return;
    }
    const isWide = hasWide(content);
    const bytes = content.length * (isWide ? 2 : 1);
    const before = bytesOf(this.#size[row] ?? NOT_HELD);
    if (bytes <= before) this.#garbage += before - bytes;
    else {
      this.forget(row);
      const at = this.#take(bytes);
      if (at === null) return;
      this.#at[row] = at;
    }
    const at = this.#at[row] ?? 0;
    const offset = at & PLACE;
    this.#chunks[at >>> PLACE_BITS]?.write(content, offset, bytes, isWide ? 'utf16le' : 'latin1');
    this.#size[row] = 2 * bytes + Number(isWide);
    // The lower case of a letter may depend on whether it is the last one of its word.
    this.#letters[row] = firstLetters(isWide ? content.toLowerCase() : content, 0);
  }

  /** The issue in a row is gone, or its text is. */
  forget(row: number): void {
    this.#garbage += bytesOf(this.#size[row] ?? NOT_HELD);
    this.#size[row] = NOT_HELD;
    this.#letters[row] = NO_LETTERS;
  }

  /** Takes over what another column has of a row. */
  copy(row: number, from: TextArrays, other: number): void {
    const size = from.size[other] ?? NOT_HELD;
    this.#size[row] = size;
    const bytes = bytesOf(size);
    if (bytes === 0) return;
    const at = this.#take(bytes);
    if (at === null) {
      this.#size[row] = NOT_HELD;
      return;
    }
    this.#letters[row] = from.letters[other] ?? NO_LETTERS;
    const old = from.at[other] ?? 0;
    const chunk = from.chunks[old >>> PLACE_BITS];
    const offset = old & PLACE;
    if (chunk !== undefined)
      this.#chunks[at >>> PLACE_BITS]?.set(chunk.subarray(offset, offset + bytes), at & PLACE);
    this.#at[row] = at;
  }

  #take(bytes: number): number | null {
    if (bytes > MAX_CHUNK || this.#used + bytes > MAX_BYTES) return null;
    const last = this.#chunks.at(-1);
    if (last === undefined || this.#lastUsed + bytes > last.length) {
      const wanted = Math.max(FIRST_CHUNK, this.#used, bytes);
      this.#chunks.push(Buffer.from(new SharedArrayBuffer(Math.min(MAX_CHUNK, wanted))));
      this.#lastUsed = 0;
    }
    const at = (this.#chunks.length - 1) * MAX_CHUNK + this.#lastUsed;
    this.#lastUsed += bytes;
    this.#used += bytes;
    return at;
  }
}

/** The content that a column of texts holds of an issue as of now: that of the field, else the summary beside the fields. */
export function textContent(issue: FieldwiseIssue, field: string): FieldContent {
  const content = contentOf(issue, field);
  return content === undefined ? (field === 'summary' ? issue.summary : null) : content;
}

/** Reads texts by row. In comparisons, as in Jira, case is of no account; null is no text, and comes last. */
export interface TextReader {
  /** Undefined where only the issue shows it. */
  textAt(row: number): string | null | undefined;
  /** The place of a row's text, one byte a character; null if it takes two, or if there is none. */
  narrowAt(row: number): NarrowText | null;
  keyAt(row: number): string | null;
  /** Writes `firstLetters` of the keys of rows from a letter on; `NO_LETTERS` of no text. */
  writeLetters(rows: Uint32Array, from: number, letters: Float64Array): void;
  compareRows(row: number, other: number): number;
}

/** The place of a text in a chunk. */
interface NarrowText {
  readonly chunk: Uint8Array;
  readonly from: number;
  readonly until: number;
}

/** Bytes of letters as bytes of small ones. */
const SMALL = Uint8Array.from({ length: LAST_NARROW + 1 }, (_, code) =>
  String.fromCharCode(code).toLowerCase().charCodeAt(0),
);

export function createTextReader({ at, size, letters, chunks }: TextArrays): TextReader {
  const buffers = chunks.map(({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length));

  function textAt(row: number): string | null | undefined {
    const stored = size[row] ?? NOT_HELD;
    if (stored === NOT_HELD) return undefined;
    if (stored === 0) return null;
    const start = at[row] ?? 0;
    const offset = start & PLACE;
    const encoding = (stored & 1) === 1 ? 'utf16le' : 'latin1';
    return buffers[start >>> PLACE_BITS]?.toString(encoding, offset, offset + (stored >>> 1));
  }

  const keyAt = (row: number) => textAt(row)?.toLowerCase() ?? null;
  const isNarrow = (stored: number) => stored !== 0 && (stored & 1) === 0;
  const [starts, ends] = [new Uint32Array(READ_AT_ONCE), new Uint32Array(READ_AT_ONCE)];
  const reached = new Uint8Array(READ_AT_ONCE);

  function lettersOf(row: number, from: number): number {
    return from === 0 ? (letters[row] ?? NO_LETTERS) : firstLetters(keyAt(row) ?? '', from);
  }

  return {
    textAt,
    keyAt,
    narrowAt(row) {
      const stored = size[row] ?? NOT_HELD;
      if (!isNarrow(stored)) return null;
      const start = at[row] ?? 0;
      const chunk = chunks[start >>> PLACE_BITS];
      const from = start & PLACE;
      return chunk === undefined ? null : { chunk, from, until: from + (stored >>> 1) };
    },
    writeLetters(rows, from, found) {
      for (let start = 0; start < rows.length; start += READ_AT_ONCE) {
        const end = Math.min(rows.length, start + READ_AT_ONCE);
        // Texts lie anywhere in memory: first all of them are reached, so that one is not waited for after the other.
        for (let i = start; i < end; i += 1) {
          const row = rows[i] ?? 0;
          ends[i - start] = size[row] ?? NOT_HELD;
          starts[i - start] = at[row] ?? 0;
        }
        for (let i = 0; i < end - start; i += 1) {
          const offset = starts[i] ?? 0;
          reached[i] = chunks[offset >>> PLACE_BITS]?.[(offset & PLACE) + from] ?? 0;
        }
        for (let i = start; i < end; i += 1) {
          const stored = ends[i - start] ?? NOT_HELD;
          const offset = starts[i - start] ?? 0;
          const chunk = chunks[offset >>> PLACE_BITS];
          const first = (offset & PLACE) + from;
          if (chunk === undefined || !isNarrow(stored)) found[i] = lettersOf(rows[i] ?? 0, from);
          else found[i] = narrowLetters(chunk, first, first - from + (stored >>> 1), reached[i - start] ?? 0);
        }
      }
    },
    compareRows(row, other) {
      const [stored, otherStored] = [size[row] ?? NOT_HELD, size[other] ?? NOT_HELD];
      if (!isNarrow(stored) || !isNarrow(otherStored)) return compareTextKeys(keyAt(row), keyAt(other));
      const [start, otherStart] = [at[row] ?? 0, at[other] ?? 0];
      const [chunk, otherChunk] = [chunks[start >>> PLACE_BITS], chunks[otherStart >>> PLACE_BITS]];
      if (chunk === undefined || otherChunk === undefined) return 0;
      const [offset, otherOffset] = [start & PLACE, otherStart & PLACE];
      const both = Math.min(stored, otherStored) >>> 1;
      for (let i = 0; i < both; i += 1) {
        const difference =
          (SMALL[chunk[offset + i] ?? 0] ?? 0) - (SMALL[otherChunk[otherOffset + i] ?? 0] ?? 0);
        if (difference !== 0) return difference;
      }
      return (stored >>> 1) - (otherStored >>> 1);
    },
  };
}

/** Compares keys of texts; null comes last. */
export function compareTextKeys(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareText(a, b);
}

/** Letters of a key that make a number. */
export const LETTERS = 6;

/** The letters of no text, which comes last. */
const NO_LETTERS = Number.POSITIVE_INFINITY;

/** Letters from this one on are not told apart, and nothing that follows one counts; a text that has ended has 0. */
const OTHER_LETTER = 255;

/**
 * Some letters of a text from a place on, small ones in the place of large ones, as a number whose order is theirs. What is
 * wider than a byte has to be in small letters already.
 */
export function firstLetters(text: string, from: number): number {
  return lettersFrom(from, (i) => (i < text.length ? text.charCodeAt(i) : END));
}

/** Stands for the code of a letter where there is none. */
const END = -1;

function lettersFrom(from: number, codeAt: (i: number) => number): number {
  let letters = 0;
  let isPlain = true;
  for (let i = from; i < from + LETTERS; i += 1) {
    const code = isPlain ? codeAt(i) : END;
    const letter = Math.min(OTHER_LETTER, (code > LAST_NARROW ? code : (SMALL[code] ?? END)) + 1);
    isPlain &&= letter !== 0 && letter < OTHER_LETTER;
    letters = letters * 256 + letter;
  }
  return letters;
}

/** The same of a text whose letters are bytes, from one to before another, the first of which has been read. */
function narrowLetters(chunk: Uint8Array, from: number, end: number, first: number): number {
  if (from + LETTERS <= end) {
    const high = threeLetters(first, chunk[from + 1] ?? 0, chunk[from + 2] ?? 0);
    const low = threeLetters(chunk[from + 3] ?? 0, chunk[from + 4] ?? 0, chunk[from + 5] ?? 0);
    if (high >= 0 && low >= 0) return high * 2 ** 24 + low;
  }
  return lettersFrom(from, (i) => (i < end ? (chunk[i] ?? 0) : END));
}

/** Three letters as a number; negative where one of them is another letter. */
function threeLetters(one: number, two: number, three: number): number {
  const a = LETTER_OF[one] ?? 0;
  const b = LETTER_OF[two] ?? 0;
  const c = LETTER_OF[three] ?? 0;
  return a === OTHER_LETTER || b === OTHER_LETTER || c === OTHER_LETTER ? -1 : (a << 16) | (b << 8) | c;
}

/** By byte the letter that stands for it in a number. */
const LETTER_OF = SMALL.map((small) => Math.min(OTHER_LETTER, small + 1));

/** Texts that are read together. */
const READ_AT_ONCE = 256;

/**
 * The rest of texts that have the same letters: nothing, so that they are equal; more letters; or unknown from these.
 */
export function afterLetters(letters: number): 'nothing' | 'more' | 'unknown' {
  if (letters === NO_LETTERS) return 'nothing';
  let hasEnd = false;
  for (let left = letters, i = 0; i < LETTERS; i += 1, left = Math.floor(left / 256)) {
    const letter = left % 256;
    if (letter === OTHER_LETTER) return 'unknown';
    hasEnd ||= letter === 0;
  }
  return hasEnd ? 'nothing' : 'more';
}

function bytesOf(size: number): number {
  return size === NOT_HELD ? 0 : size >>> 1;
}

function hasWide(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > LAST_NARROW) return true;
  return false;
}
