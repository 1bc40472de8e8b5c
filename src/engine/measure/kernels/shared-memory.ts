/** Shared memory that is lent until it is released. It initially contains data of earlier uses. */
export interface Lease {
  readonly buffer: SharedArrayBuffer;
  /** Gives the memory back; it must not be used afterwards. Further calls do nothing. */
  release(): void;
}

/**
 * Lends shared memory and reuses it. A thread keeps memory that it received until it collects garbage, which is rare,
 * so without reuse every question would leave its memory behind.
 */
export class SharedPool {
  readonly #maxSpareBytes: number;
  /** Released buffers, the most recently released last. */
  readonly #spare: SharedArrayBuffer[] = [];
  /** Buffers that have not been lent since the last call of `dropUnused`. */
  #unused = new Set<SharedArrayBuffer>();

  constructor(maxSpareBytes: number) {
    this.#maxSpareBytes = maxSpareBytes;
  }

  get spareBytes(): number {
    return this.#spare.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Lends at least this number of bytes. */
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

  /** Drops buffers that have not been lent since the previous call. */
  dropUnused(): void {
    const kept = this.#spare.filter((buffer) => !this.#unused.has(buffer));
    this.#spare.splice(0, this.#spare.length, ...kept);
    this.#unused = new Set(kept);
  }

  /** Takes the smallest spare buffer that is large enough, but not more than `MAX_EXCESS` times too large. */
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

/** Factor by which buffers are larger than needed, since the next question of the same kind has a few more rows. */
const ROOM = 1.1;
const MAX_EXCESS = 4;

/** Maximum size of spare buffers: the memory that several questions over a million issues need at a time. */
const MAX_SPARE_BYTES = 16 * 2 ** 20;

/** The shared memory of all questions. */
export const sharedPool = new SharedPool(MAX_SPARE_BYTES);

/** Copies numbers into shared memory. */
export function lendCopy(numbers: Uint32Array): Lease & { readonly numbers: Uint32Array<SharedArrayBuffer> } {
  const lease = sharedPool.lend(numbers.byteLength);
  const copy = new Uint32Array(lease.buffer, 0, numbers.length);
  copy.set(numbers);
  return { ...lease, numbers: copy };
}
