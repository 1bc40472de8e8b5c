import type { Instant } from '../../model/issue.ts';

const RECENT_MS = 10_000;

/** Something that takes long to read, as it was read within the last ten seconds. */
export interface Recent<Value> {
  /** Whoever asks while it is being read waits for the same. */
  read(): Promise<Value>;
  /** Neither what was read nor what is being read counts from now on. */
  forget(): void;
}

interface Reading<Value> {
  readonly value: Promise<Value>;
  /** Null while it is under way. */
  endedAt: Instant | null;
}

/** Remembers what `read` gives; a failure is remembered by nobody. */
export function createRecent<Value>(read: () => Promise<Value>, now: () => Instant): Recent<Value> {
  let latest: Reading<Value> | null = null;

  function begin(): Reading<Value> {
    const reading: Reading<Value> = { value: read(), endedAt: null };
    reading.value.then(
      () => {
        reading.endedAt = now();
      },
      () => {
        if (latest === reading) latest = null;
      },
    );
    return reading;
  }

  return {
    read() {
      if (latest === null || !isRecent(latest, now())) latest = begin();
      return latest.value;
    },
    forget() {
      latest = null;
    },
  };
}

function isRecent({ endedAt }: Reading<unknown>, now: Instant): boolean {
  // A clock that was set back would make it last.
  return endedAt === null || (now >= endedAt && now - endedAt < RECENT_MS);
}
