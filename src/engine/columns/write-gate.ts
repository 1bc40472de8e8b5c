/** The time (ms) for which a waiting writer lets new readers in. */
const LETS_IN_FOR_MS = 200;

/**
 * Keeps readers apart from writers. Many may read at a time, and one may write when no one reads. A waiting writer lets others
 * read for a moment, then only those that read already go on; a writer of many steps does so once for all of them.
 */
export class WriteGate {
  readonly #letsInForMs: number;
  readonly #readers = new Set<Promise<void>>();
  #writer: Promise<void> | null = null;
  /** The writer that lets no reader in any more. */
  #closed: Promise<void> | null = null;
  /** Since when (ms) writers have found readers, one soon after the other; and when the last one was done. */
  #heldUpSince: number | null = null;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(letsInForMs = LETS_IN_FOR_MS) {
    this.#letsInForMs = letsInForMs;
  }

  async reading<Result>(read: () => Promise<Result>): Promise<Result> {
    while (this.#closed !== null) await this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#readers.add(promise);
    try {
      return await read();
    } finally {
      this.#readers.delete(promise);
      resolve();
    }
  }

  async writing<Result>(write: () => Result): Promise<Result> {
    while (this.#writer !== null) await this.#writer;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writer = promise;
    if (this.#readers.size === 0) this.#heldUpSince = null;
    const close = () => {
      this.#closed = promise;
    };
    const timer = this.#readers.size === 0 ? undefined : setTimeout(close, this.#leftToLetIn());
    try {
      while (this.#readers.size > 0) await Promise.all(this.#readers);
      return write();
    } finally {
      clearTimeout(timer);
      this.#writer = null;
      this.#closed = null;
      this.#writtenAt = performance.now();
      resolve();
    }
  }

  #leftToLetIn(): number {
    const now = performance.now();
    if (this.#heldUpSince === null || now - this.#writtenAt > this.#letsInForMs) this.#heldUpSince = now;
    return Math.max(0, this.#letsInForMs - (now - this.#heldUpSince));
  }
}
