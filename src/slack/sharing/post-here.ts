import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Message } from '../../block-kit/message.ts';
import type { Place } from '../command.ts';
import { explainRefusal } from '../exports/explain-refusal.ts';
import { mayBeDone, refusalOf, tryAgain } from '../exports/refusal.ts';
import type { MessageParts } from '../parts.ts';
import { patiently } from '../patiently.ts';
import { postMessage } from '../post-message.ts';

/** What became of a post: where it stands, why Slack did not take it, or that nobody knows. Sentences are mrkdwn. */
type Posted =
  | { readonly kind: 'posted'; readonly channel: string; readonly ts: string }
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'unknown' };

/**
 * Posts a message for everybody in a place: once more where Slack wants us to wait a little first, never where it may
 * stand there already. What is no trouble of Slack's is thrown.
 */
export async function postHere(
  message: Message,
  { channel, threadTs }: Place,
  parts: MessageParts,
): Promise<Posted> {
  const { web, wait, log, pictures = null } = parts;
  const post = ({ text, blocks }: Message) =>
    web.chat.postMessage({
      channel,
      text,
      ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
    });
  try {
    const posted = await postMessage(message, (shown) => patiently(() => post(shown), wait), {
      pictures,
      log,
    });
    if (posted.ts === undefined) return { kind: 'unknown' };
    return { kind: 'posted', channel: posted.channel ?? channel, ts: posted.ts };
  } catch (error) {
    log.warn({ err: error, channel }, 'a message for everybody could not be posted');
    if (mayBeDone(error)) return { kind: 'unknown' };
    return { kind: 'refused', because: whyNot(error) };
  }
}

function whyNot(error: unknown): string {
  const code = refusalOf(error);
  if (code !== null) return explainRefusal(code);
  if (error instanceof WebAPIRateLimitedError) {
    return `Slack wants to be left alone for ${error.retryAfter} seconds. Please try again then.`;
  }
  // What Slack has no part in is a bug of ours, and told as one.
  if (tryAgain(error) === error) throw error;
  return 'Slack cannot be reached at the moment. Please try again later.';
}
