import { WebAPIRateLimitedError } from '@slack/web-api';

/** Who waits longer has others waiting as well. */
const MOST_WAITED_MS = 30_000;

/** Calls Slack, and once more where it wants to be left alone for a little first. Fails as the last call does. */
export async function patiently<Result>(
  call: () => Promise<Result>,
  wait: (ms: number) => Promise<void>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof WebAPIRateLimitedError)) throw error;
    const pauseMs = 1000 * error.retryAfter;
    if (pauseMs > MOST_WAITED_MS) throw error;
    await wait(pauseMs);
    return call();
  }
}
