import { WebAPIRateLimitedError } from '@slack/web-api';
import type { DoorParts } from './command.ts';
import { mayBeDone } from './exports/refusal.ts';
import type { Message } from './message.ts';
import { withinLimits } from './within-limits.ts';

/** Whether words reached somebody: `unknown` where Slack gave no answer and may have taken them all the same. */
export type Told = 'told' | 'refused' | 'unknown';

/** Who waits longer has others waiting as well. */
const MOST_WAITED_MS = 30_000;

/**
 * Tells somebody something in their conversation with the app: once more where Slack wants us to wait first, never
 * where they may have read it already. What did not reach them is logged.
 */
export async function tellDirectly(
  account: string,
  message: Message,
  { web, wait, log }: Pick<DoorParts, 'web' | 'wait' | 'log'>,
): Promise<Told> {
  const { text, blocks } = withinLimits(message, log);
  const post = () =>
    web.chat.postMessage({
      channel: account,
      text,
      ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
      unfurl_links: false,
      unfurl_media: false,
    });
  try {
    await post().catch(async (error: unknown) => {
      if (!(error instanceof WebAPIRateLimitedError)) throw error;
      const pauseMs = 1000 * error.retryAfter;
      if (pauseMs > MOST_WAITED_MS) throw error;
      await wait(pauseMs);
      await post();
    });
    return 'told';
  } catch (error) {
    const told = mayBeDone(error) ? 'unknown' : 'refused';
    log.warn({ err: error, account, told }, 'a direct word did not reach somebody');
    return told;
  }
}
