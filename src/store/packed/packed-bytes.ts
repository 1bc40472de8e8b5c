import type { FieldValue } from '../../model/issue.ts';
import type { IssueTerms } from './issue-terms.ts';

/**
 * The layout of a packed issue: the creation as a double and the last update, then the bits of the optional parts and
 * the lengths of the first two of three parts, then the parts: the members of every issue, its fields, its changes.
 */
export const has = { id: 1, link: 2, resolved: 4, assignee: 8, wholeHistory: 16 } as const;

/** The first number of a text; from `term` on it is a text's number. */
export const textAs = { narrow: 0, wide: 1, digits: 2, term: 3 } as const;

/** The first number of a value; from `term` on it is a value's number. */
export const valueAs = { none: 0, itself: 1, term: 2 } as const;

/** The first number of a field's content; from `term` on it is a value's number. */
export const contentAs = {
  none: 0,
  number: 1,
  text: 2,
  list: 3,
  value: 4,
  summary: 5,
  created: 6,
  updated: 7,
  resolved: 8,
  term: 9,
} as const;

/** In what a change is like the one before it; `item`: the next of the same entry, or the first of another. */
export const sameAs = { entry: 1, at: 2, by: 4, item: 8 } as const;

/** The number of a change's field stands above these. */
export const SAME_AS_ALL = 16;

/** Beyond it a whole number with its sign no longer fits exactly into a double. */
const MAX_WHOLE = 2 ** 51;

/** Set in every byte of a count but the last; the bits below it count. */
const NEXT_BIT = 128;
const LOW_BITS = NEXT_BIT - 1;
const FIRST_SIZE = 4_096;

/** Bytes written one behind the other, to be read in the same order by a `TermReader`. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  /** The bytes since the last `clear`; valid until the next one. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** A whole number from 0 to 2 ** 53 − 1. Small ones take a byte. */
  count(count: number): void {
    this.#reserve(8);
    let left = count;
    while (left >= NEXT_BIT) {
      this.#bytes[this.#length++] = (left % NEXT_BIT) + NEXT_BIT;
      left = Math.floor(left / NEXT_BIT);
    }
    this.#bytes[this.#length++] = left;
  }

  /** Any number; whole ones near 0 take the least. */
  number(number: number): void {
    if (Number.isInteger(number) && Math.abs(number) < MAX_WHOLE && !Object.is(number, -0)) {
      this.count(number >= 0 ? number * 2 + 2 : -number * 2 + 1);
      return;
    }
    this.count(0);
    this.double(number);
  }

  /** A number as its distance from another one. */
  near(number: number, base: number): void {
    const distance = number - base;
    if (Number.isInteger(distance) && Math.abs(distance) < MAX_WHOLE && base + distance === number) {
      this.number(distance);
      return;
    }
    this.count(0);
    this.double(number);
  }

  double(number: number): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(number, this.#length);
  }

  /** Appends the bytes of another writer. */
  append({ bytes }: ByteWriter): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** `wide`: two bytes a character, for any text; else one, for characters up to U+00FF. */
  text(text: string, wide: boolean): void {
    const encoding = wide ? 'utf16le' : 'latin1';
    const size = text.length * (wide ? 2 : 1);
    this.count(size);
    this.#reserve(size);
    this.#length += this.#bytes.write(text, this.#length, size, encoding);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/**
 * Reads, or passes over, what a `ByteWriter` wrote, in the order in which it was written: many texts and values are there by
 * the numbers of their terms.
 */
export class TermReader {
  readonly terms: IssueTerms;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(terms: IssueTerms) {
    this.terms = terms;
  }

  /** Goes on reading at a position in these bytes. */
  open(bytes: Buffer, at = 0): void {
    this.#bytes = bytes;
    this.#at = at;
  }

  count(): number {
    const byte = this.#bytes[this.#at] ?? 0;
    if (byte > LOW_BITS) return this.#longCount();
    this.#at += 1;
    return byte;
  }

  #longCount(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = bytes[at++] ?? 0;
    let count = byte & LOW_BITS;
    // Four bytes fit into what is added up fast.
    for (let shift = 7; byte > LOW_BITS && shift < 28; shift += 7) {
      byte = bytes[at++] ?? 0;
      count |= (byte & LOW_BITS) << shift;
    }
    for (let weight = 2 ** 28; byte > LOW_BITS; weight *= NEXT_BIT) {
      byte = bytes[at++] ?? 0;
      count += (byte & LOW_BITS) * weight;
    }
    this.#at = at;
    return count;
  }

  number(): number {
    const count = this.count();
    return count === 0 ? this.double() : numberOf(count);
  }

  near(base: number): number {
    const count = this.count();
    return count === 0 ? this.double() : base + numberOf(count);
  }

  /** Passes over what `number` and `near` read. */
  skipNumber(): void {
    if (this.#bytes[this.#at] === 0) this.#at += 9;
    else this.skipCount();
  }

  /** Passes over a count. */
  skipCount(): void {
    let at = this.#at;
    while ((this.#bytes[at] ?? 0) > LOW_BITS) at += 1;
    this.#at = at + 1;
  }

  double(): number {
    this.#at += 8;
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  goTo(at: number): void {
    this.#at = at;
  }

  /** The position of the next read. */
  get at(): number {
    return this.#at;
  }

  ownText(): string {
    return this.textFrom(this.count());
  }

  /** A text whose first count was read. */
  textFrom(as: number): string {
    if (as >= textAs.term) return this.terms.texts.at(as - textAs.term);
    const count = this.count();
    if (as === textAs.digits) return String(count);
    this.#at += count;
    return this.#bytes.toString(as === textAs.wide ? 'utf16le' : 'latin1', this.#at - count, this.#at);
  }

  skipText(): void {
    this.skipTextFrom(this.count());
  }

  skipTextFrom(as: number): void {
    if (as >= textAs.term) return;
    if (as === textAs.digits) this.skipCount();
    else {
      // The count moves the reader as well.
      const size = this.count();
      this.#at += size;
    }
  }

  skipNames(): void {
    this.skipText();
    this.skipText();
  }

  /** The id and the name of a value. */
  names(): FieldValue {
    const id = this.ownText();
    return { id, name: this.ownText() };
  }

  value(): FieldValue | null {
    const as = this.count();
    if (as >= valueAs.term) return this.terms.values.at(as - valueAs.term);
    return as === valueAs.none ? null : this.names();
  }

  /** Passes over a value; `as` is what it begins with, which says which one it is if that is `valueAs.term` or more. */
  skipValue(): number {
    const as = this.count();
    if (as === valueAs.itself) this.skipNames();
    return as;
  }

  neededValue(): FieldValue {
    const value = this.value();
    if (value === null) throw new Error('A packed issue lacks a value that every issue has.');
    return value;
  }
}

/** The whole number that a count above 0 stands for. The rest of a division of large numbers takes ten times as long. */
function numberOf(count: number): number {
  const half = Math.floor(count / 2);
  return half * 2 === count ? half - 1 : -half;
}
