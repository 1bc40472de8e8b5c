/** Beyond it a whole number no longer fits with its sign into what a double tells exactly. */
const MOST_WHOLE = 2 ** 51;

const LOW_BITS = 128;
const FIRST_SIZE = 4_096;

/** Bytes written one behind the other, to be read in the same order by a `ByteReader`. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  /** What was written since the last `clear`; good until the next one. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** A whole number from 0 to 2 ** 53 − 1. Small ones take a byte. */
  count(count: number): void {
    this.#reserve(8);
    let rest = count;
    while (rest >= LOW_BITS) {
      this.#bytes[this.#length++] = (rest % LOW_BITS) + LOW_BITS;
      rest = Math.floor(rest / LOW_BITS);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Any number; whole ones near 0 take the least. */
  number(number: number): void {
    if (Number.isInteger(number) && Math.abs(number) < MOST_WHOLE && !Object.is(number, -0)) {
      this.count(number >= 0 ? number * 2 + 2 : -number * 2 + 1);
      return;
    }
    this.count(0);
    this.double(number);
  }

  /** A number that is told by how far it is from another one. */
  near(number: number, base: number): void {
    const distance = number - base;
    if (Number.isInteger(distance) && Math.abs(distance) < MOST_WHOLE && base + distance === number) {
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

  /** What another writer wrote. */
  append({ bytes }: ByteWriter): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** `wide`: as two bytes a character, which tells any text; else as one, which tells characters up to U+00FF. */
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
