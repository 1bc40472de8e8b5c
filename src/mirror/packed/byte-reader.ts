const LOW_BITS = 127;

/** Bytes, and the same bytes for those who read numbers. */
export interface PackedBytes {
  readonly bytes: Buffer;
  readonly view: DataView;
}

const nothing: PackedBytes = { bytes: Buffer.alloc(0), view: new DataView(new ArrayBuffer(0)) };

/** Reads what a `ByteWriter` wrote, in the order in which it was written. */
export class ByteReader {
  #bytes = nothing.bytes;
  #view = nothing.view;
  #at = 0;

  /** Goes on reading there. */
  seek({ bytes, view }: PackedBytes, at: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#at = at;
  }

  count(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = bytes[at++] ?? 0;
    let count = byte & LOW_BITS;
    // Four bytes fit into what is added up fast.
    for (let shift = 7; byte > LOW_BITS && shift < 28; shift += 7) {
      byte = bytes[at++] ?? 0;
      count |= (byte & LOW_BITS) << shift;
    }
    for (let weight = 2 ** 28; byte > LOW_BITS; weight *= LOW_BITS + 1) {
      byte = bytes[at++] ?? 0;
      count += (byte & LOW_BITS) * weight;
    }
    this.#at = at;
    return count;
  }

  number(): number {
    const told = this.count();
    if (told === 0) return this.double();
    return told % 2 === 0 ? told / 2 - 1 : -(told - 1) / 2;
  }

  near(base: number): number {
    const told = this.count();
    if (told === 0) return this.double();
    return base + (told % 2 === 0 ? told / 2 - 1 : -(told - 1) / 2);
  }

  double(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  text(wide: boolean): string {
    const size = this.count();
    this.#at += size;
    return this.#bytes.toString(wide ? 'utf16le' : 'latin1', this.#at - size, this.#at);
  }

  goTo(at: number): void {
    this.#at = at;
  }

  skip(size: number): void {
    this.#at += size;
  }

  /** Where it will read next. */
  get at(): number {
    return this.#at;
  }
}
