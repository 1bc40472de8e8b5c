import type { Hold } from '../../concurrency/leased-worker.ts';

/** Thrown where a turn ends early and nothing is wrong: we are to stop, or another process has taken over. */
export class Interrupted extends Error {
  constructor(why: 'stopped' | 'taken over') {
    super(why);
    this.name = 'Interrupted';
  }
}

/**
 * Waits for an answer and makes sure of the lease, so that what it tells may be written at once. Throws Interrupted
 * when we are to stop, without waiting any longer, and when the lease is not ours any more.
 */
export type Ask = <Answer>(question: () => Promise<Answer>) => Promise<Answer>;

/** Asks as long as the lease is ours and `stopping` is not aborted. */
export function askUnderLease(hold: Pick<Hold, 'renew'>, stopping: AbortSignal): Ask {
  return async (question) => {
    if (stopping.aborted) throw new Interrupted('stopped');
    const answer = await orStopped(question(), stopping);
    if (!(await hold.renew())) throw new Interrupted('taken over');
    return answer;
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
