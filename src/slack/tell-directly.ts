import type { WebClient } from '@slack/web-api';
import type { Message } from './message.ts';

/** Tells somebody something in their conversation with the app; false where it did not reach them, as far as is known. */
export async function tellDirectly(account: string, message: Message, web: WebClient): Promise<boolean> {
  const { text, blocks } = message;
  try {
    await web.chat.postMessage({
      channel: account,
      text,
      ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
      unfurl_links: false,
      unfurl_media: false,
    });
    return true;
  } catch {
    return false;
  }
}
