/** No chunk is longer, in bytes. */
const CHUNK = 131_072;

/** Texts up to this length (UTF-16 units) are copied unit by unit, which takes less than calling the encoder. */
const SHORT = 96;

/** Largest number of bytes of a UTF-16 unit. */
const MAX_BYTES = 3;

/** Largest number of bytes of a number that is written here. */
const MAX_NUMBER = 32;

const [COMMA, MINUS, DOT, ZERO] = [0x2c, 0x2d, 0x2e, 0x30];

const DECIMALS = 1e10;
/** Below this, all digits of a number with ten decimals are fifteen at most: no two of such texts are one number. */
const MAX_EXACT = 1e5;
const MAX_INTEGER = 0x7fff_ffff;

/** ASCII that makes a cell need quotes. */
const special = new Uint8Array(128);
for (const character of '",\r\n;\t') special[character.charCodeAt(0)] = 1;

/** Collects text as UTF-8 in chunks of at most 128 KiB. */
export class CsvBytes {
  #chunk: Buffer = Buffer.allocUnsafeSlow(CHUNK);
  #end = 0;
  #full: Uint8Array[] = [];

  hasFull(): boolean {
    return this.#full.length > 0;
  }

  /** Chunks that are full, and from now on are no longer known here. */
  takeFull(): readonly Uint8Array[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** All that is left. */
  takeRest(): readonly Uint8Array[] {
    const rest = [...this.#full, this.#chunk.subarray(0, this.#end)];
    this.#full = [];
    this.#chunk = Buffer.alloc(0);
    this.#end = 0;
    return rest;
  }

  comma(): void {
    this.#makeRoom(1);
    this.#chunk[this.#end] = COMMA;
    this.#end += 1;
  }

  /** Writes a text that needs no quotes; false, and nothing is written, for one that does or has halves of characters. */
  bare(text: string): boolean {
    const { length } = text;
    if (length > SHORT) return false;
    this.#makeRoom(length * MAX_BYTES);
    const chunk = this.#chunk;
    let end = this.#end;
    for (let at = 0; at < length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) {
        if (special[unit] === 1) return false;
        chunk[end] = unit;
        end += 1;
      } else if (unit < 0x800) {
        chunk[end] = 0xc0 | (unit >> 6);
        chunk[end + 1] = 0x80 | (unit & 0x3f);
        end += 2;
      } else if (unit < 0xd800 || unit > 0xdfff) {
        chunk[end] = 0xe0 | (unit >> 12);
        chunk[end + 1] = 0x80 | ((unit >> 6) & 0x3f);
        chunk[end + 2] = 0x80 | (unit & 0x3f);
        end += 3;
      } else return false;
    }
    this.#end = end;
    return true;
  }

  /** Writes any text as it is. */
  text(text: string): void {
    if (text.length * MAX_BYTES <= CHUNK) {
      this.#makeRoom(text.length * MAX_BYTES);
      this.#end += this.#chunk.write(text, this.#end);
      return;
    }
    const bytes = Buffer.from(text);
    this.#makeRoom(CHUNK);
    for (let at = 0; at < bytes.length; at += CHUNK) this.#full.push(bytes.subarray(at, at + CHUNK));
  }

  /**
   * Writes a number as `decimalText` does; false, and nothing is written, where its digits take more care: beyond 31 bits,
   * beyond 100,000 with decimals, or with more than ten of them.
   */
  number(value: number): boolean {
    const size = Math.abs(value);
    const isWhole = Number.isInteger(value);
    if (isWhole ? size > MAX_INTEGER : !(size < MAX_EXACT)) return false;
    let fraction = 0;
    let whole = size;
    if (!isWhole) {
      const scaled = Math.round(size * DECIMALS);
      // The shortest text of a number is the only one with so few digits that is read as this number.
      if (scaled / DECIMALS !== size) return false;
      whole = Math.floor(size);
      fraction = scaled - whole * DECIMALS;
    }
    this.#makeRoom(MAX_NUMBER);
    const chunk = this.#chunk;
    let end = this.#end;
    if (value < 0) {
      chunk[end] = MINUS;
      end += 1;
    }
    end = writeWhole(chunk, end, whole | 0);
    if (fraction > 0) {
      chunk[end] = DOT;
      const first = Math.floor(fraction / 100_000);
      writeFive(chunk, end + 1, first | 0);
      writeFive(chunk, end + 6, (fraction - first * 100_000) | 0);
      end += 11;
      while (chunk[end - 1] === ZERO) end -= 1;
    }
    this.#end = end;
    return true;
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= CHUNK) return;
    this.#full.push(this.#chunk.subarray(0, this.#end));
    // The reader of a chunk can keep it for a while.
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK);
    this.#end = 0;
  }
}

function writeWhole(chunk: Uint8Array, start: number, value: number): number {
  let end = start + 1;
  for (let rest = (value / 10) | 0; rest > 0; rest = (rest / 10) | 0) end += 1;
  let rest = value;
  for (let at = end - 1; at >= start; at -= 1) {
    const next = (rest / 10) | 0;
    chunk[at] = ZERO + rest - next * 10;
    rest = next;
  }
  return end;
}

function writeFive(chunk: Uint8Array, start: number, value: number): void {
  let rest = value;
  for (let at = start + 4; at >= start; at -= 1) {
    const next = (rest / 10) | 0;
    chunk[at] = ZERO + rest - next * 10;
    rest = next;
  }
}
