/** Memory that threads share, lent until it is given back. What is in it before is left over from others. */
export interface Lease {
  readonly buffer: SharedArrayBuffer;
  /** Gives the memory back, once; nothing may use it any more. */
  release(): void;
}

/**
 * Lends memory that threads share, and keeps what is given back for the next question. A thread keeps what it was handed
 * until it collects garbage, which it hardly makes: without reuse, every question would leave its memory behind.
 */
export class SharedPool {
  readonly #maxSpareBytes: number;
  /** What was given back last comes last. */
  readonly #spare: SharedArrayBuffer[] = [];
  /** What has been spare since `dropUnused` was last called. */
  #unused = new Set<SharedArrayBuffer>();

  constructor(maxSpareBytes: number) {
    this.#maxSpareBytes = maxSpareBytes;
  }

  get spareBytes(): number {
    return this.#spare.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Lends at least so many bytes. */
  lend(bytes: number): Lease {
    const buffer = this.#take(bytes) ?? new SharedArrayBuffer(Math.ceil(bytes * ROOM));
    let isLent = true;
    return {
      buffer,
      release: () => {
        if (!isLent) return;
        isLent = false;
        this.#spare.push(buffer);
        while (this.spareBytes > this.#maxSpareBytes) this.#spare.shift();
      },
    };
  }

  /** Drops what has not been lent since this was last called. */
  dropUnused(): void {
    const kept = this.#spare.filter((buffer) => !this.#unused.has(buffer));
    this.#spare.splice(0, this.#spare.length, ...kept);
    this.#unused = new Set(kept);
  }

  /** The smallest spare buffer that is large enough and not far too large. */
  #take(bytes: number): SharedArrayBuffer | null {
    const fitting = this.#spare.filter(
      ({ byteLength }) => byteLength >= bytes && byteLength <= MAX_EXCESS * bytes,
    );
    const [smallest] = fitting.toSorted((a, b) => a.byteLength - b.byteLength);
    if (smallest === undefined) return null;
    this.#spare.splice(this.#spare.indexOf(smallest), 1);
    this.#unused.delete(smallest);
    return smallest;
  }
}

/** The next question of the same kind has some more rows. */
const ROOM = 1.1;
const MAX_EXCESS = 4;

/** What several questions over a million issues borrow at a time. */
const MAX_SPARE_BYTES = 16 * 2 ** 20;

/** The memory of all questions. */
export const sharedPool = new SharedPool(MAX_SPARE_BYTES);

/** A copy of numbers in memory that threads share. */
export function lendCopy(numbers: Uint32Array): Lease & { readonly numbers: Uint32Array<SharedArrayBuffer> } {
  const lease = sharedPool.lend(numbers.byteLength);
  const copy = new Uint32Array(lease.buffer, 0, numbers.length);
  copy.set(numbers);
  return { ...lease, numbers: copy };
}
