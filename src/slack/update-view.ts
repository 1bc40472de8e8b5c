import { WebAPIRateLimitedError } from '@slack/web-api';
import { refusalOf } from './exports/refusal.ts';

/** After how long a view is tried again where Slack, or the way to it, failed. */
const PAUSES_MS = [200, 1_000];
/** Who has to wait longer reads of it instead. */
const MOST_WAITED_MS = 5_000;

/**
 * Changes a view, and again where Slack failed; `gone` where somebody has closed it meanwhile. Fails as the last try does,
 * and at once where Slack does not take the view.
 */
export async function updateView(
  update: () => Promise<unknown>,
  wait: (ms: number) => Promise<void>,
  pauses: readonly number[] = PAUSES_MS,
): Promise<'shown' | 'gone'> {
  try {
    await update();
    return 'shown';
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === 'not_found') return 'gone';
    const [pause, ...later] = pauses;
    if (refused !== null || pause === undefined) throw error;
    const pauseMs = error instanceof WebAPIRateLimitedError ? 1000 * error.retryAfter : pause;
    if (pauseMs > MOST_WAITED_MS) throw error;
    await wait(pauseMs);
    return updateView(update, wait, later);
  }
}
