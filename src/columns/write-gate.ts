/** How long (ms) a writer lets in who comes to read meanwhile. */
const LETS_IN_FOR_MS = 5_000;

/** A writer who has waited so long (ms) is blocked. */
const BLOCKED_AFTER_MS = 200;

/** How long things take; see the constants. */
interface GateTimes {
  readonly letsInForMs: number;
  readonly blockedAfterMs: number;
}

/**
 * Keeps those who read apart from those who write. Many may read at a time, and one may write, at once, when nobody
 * reads. Who waits to write lets others read for some seconds, then only those who read already go on; so does who writes
 * in many steps, once for all of them.
 */
export class WriteGate {
  readonly #times: GateTimes;
  readonly #readers = new Set<Promise<void>>();
  #writer: Promise<void> | null = null;
  /** The writer who lets in nobody any more. */
  #closed: Promise<void> | null = null;
  /** Since when (ms) writers have found readers, one soon after the other; and when the last one was done. */
  #heldUpSince: number | null = null;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(times: GateTimes = { letsInForMs: LETS_IN_FOR_MS, blockedAfterMs: BLOCKED_AFTER_MS }) {
    this.#times = times;
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

  async writing<Result>(write: () => Result, onBlocked: () => void = () => {}): Promise<Result> {
    while (this.#writer !== null) await this.#writer;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writer = promise;
    if (this.#readers.size === 0) this.#heldUpSince = null;
    const timers =
      this.#readers.size === 0
        ? []
        : [
            setTimeout(onBlocked, this.#times.blockedAfterMs),
            setTimeout(() => {
              this.#closed = promise;
            }, this.#leftToLetIn()),
          ];
    try {
      while (this.#readers.size > 0) await Promise.all(this.#readers);
      return write();
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.#writer = null;
      this.#closed = null;
      this.#writtenAt = performance.now();
      resolve();
    }
  }

  #leftToLetIn(): number {
    const { letsInForMs } = this.#times;
    const now = performance.now();
    if (this.#heldUpSince === null || now - this.#writtenAt > letsInForMs) this.#heldUpSince = now;
    return Math.max(0, letsInForMs - (now - this.#heldUpSince));
  }
}
