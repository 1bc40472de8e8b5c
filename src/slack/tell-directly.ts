import type { Message } from '../block-kit/message.ts';
import { mayBeDone } from './exports/refusal.ts';
import type { MessageParts } from './parts.ts';
import { patiently } from './patiently.ts';
import { postMessage } from './post-message.ts';

/** Whether words reached somebody: `unknown` where Slack gave no answer and may have taken them all the same. */
export type Told = 'told' | 'refused' | 'unknown';

/**
 * Tells somebody something in their conversation with the app: once more where Slack wants us to wait first, never
 * where they may have read it already. What did not reach them is logged.
 */
export async function tellDirectly(
  account: string,
  message: Message,
  { web, wait, log, pictures = null }: MessageParts,
): Promise<Told> {
  const post = () =>
    postMessage(
      message,
      ({ text, blocks }) =>
        web.chat.postMessage({
          channel: account,
          text,
          ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
          unfurl_links: false,
          unfurl_media: false,
        }),
      { pictures, log },
    );
  try {
    await patiently(post, wait);
    return 'told';
  } catch (error) {
    const told = mayBeDone(error) ? 'unknown' : 'refused';
    log.warn({ err: error, account, told }, 'a direct word did not reach somebody');
    return told;
  }
}
