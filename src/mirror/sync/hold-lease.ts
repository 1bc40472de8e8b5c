import { Interrupted } from './interrupted.ts';
import type { SyncParts } from './sync-parts.ts';

/** How long (ms) others leave us alone, and how often that is renewed; who is killed keeps others waiting as long. */
const LEASE_MS = 30_000;
const RENEWED_MS = 10_000;

/** The right of one process to bring the store up to date. */
export interface HeldLease {
  /** As in Work. */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer>;
  release(): Promise<void>;
}

/** Takes the lease; null while it is somebody else's. */
export async function holdLease(
  { store, now, wait }: Pick<SyncParts, 'store' | 'now' | 'wait'>,
  holder: string,
  signal: AbortSignal,
): Promise<HeldLease | null> {
  const claim = () => store.claim({ holder, until: now() + LEASE_MS }, now());

  /** An answer may take minutes, where the tracker has asked us to wait. */
  async function renew(done: AbortSignal): Promise<void> {
    for (;;) {
      await wait(RENEWED_MS, done);
      if (done.aborted || !(await claim())) return;
    }
  }

  if (!(await claim())) return null;
  return {
    async ask(question) {
      if (signal.aborted) throw new Interrupted('stopped');
      const done = new AbortController();
      // Whatever goes wrong there shows once the answer is here.
      renew(done.signal).catch(() => {});
      const answer = await orStopped(question(), signal).finally(() => done.abort());
      if (!(await claim())) throw new Interrupted('taken over');
      return answer;
    },
    release: () => store.release(holder),
  };
}

/** Does not wait for an answer that nobody will use. */
function orStopped<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Interrupted('stopped'));
    signal.addEventListener('abort', stop);
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
