/** How often work beside answering looks about itself, in milliseconds of real time. */
export interface Pace {
  /** For work that others have left. */
  readonly lookMs: number;
  /** For whether an export is still ours; its progress is kept with that. */
  readonly renewMs: number;
  /** How often a courier is told progress. */
  readonly progressMs: number;
}

/** Renewing is far quicker than a lease ends; telling is what Slack takes of one message without slowing us down. */
export const usualPace: Pace = { lookMs: 2_000, renewMs: 500, progressMs: 3_000 };

/** Calls again and again, and holds no process back from its end; returns what stops it. */
export function every(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms).unref();
  return () => clearInterval(timer);
}

/** Waits, but no longer than until the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
