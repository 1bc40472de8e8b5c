import { type ChatPostMessageResponse, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { checkBlocks } from '../../block-kit/check-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { settledTexts } from '../../block-kit/payload-texts.ts';
import { canBeRefused, plainBlocks } from '../../block-kit/plain-blocks.ts';
import type { Place } from './handler-types.ts';
import type { MessageParts } from './parts.ts';
import { withPictures } from './pictures.ts';
import { isResponseRefusal, refusalOf } from './slack-refusal.ts';

/** Slack's words for blocks it does not take, such as a table where tables are not there yet; nothing was posted then. */
const dislikes =
  /^(invalid_blocks|msg_blocks_too_long|msg_too_long|only_one_table_allowed|invalid_arguments)/;

/**
 * Posts a message by `post`, and where Slack refuses its chart or its table, in ever plainer forms. Whatever else goes
 * wrong is handed on at once, so that nothing is posted twice.
 */
export async function postMessage<T>(
  message: Message,
  post: (message: Message) => Promise<T>,
  { pictures = null, log }: Pick<MessageParts, 'pictures' | 'log'>,
): Promise<T> {
  const isNative = pictures !== null && message.blocks.some(({ type }) => type === 'data_visualization');
  const isDrawn = isNative && !(await pictures.drawnBySlack());
  const shown = isDrawn ? await withPictures(message, pictures) : message;
  const isPicture = isNative && !isDrawn;
  const forms = [
    async () => shown,
    ...(isPicture ? [() => withPictures(message, pictures)] : []),
    async () => ({ ...message, blocks: plainBlocks(shown.blocks) }),
    async () => ({ ...message, blocks: [] }),
  ];
  let refusal: unknown;
  for (const [at, make] of forms.entries()) {
    try {
      const posted = await post(withinLimits(await make(), log));
      if (at === 1 && isPicture) await pictures.refusedBySlack();
      return posted;
    } catch (error) {
      const isDislike = isResponseRefusal(error) || dislikes.test(refusalOf(error) ?? '');
      if (!isDislike || !canBeRefused(shown)) throw error;
      log.warn({ err: error }, 'a message with a chart or a table was refused, posting it more plainly');
      refusal = error;
    }
  }
  throw refusal;
}

/**
 * Posts a message into a place; by its mark, which people do not see, it can be found again there. Links in it show no
 * previews.
 */
export function postMarked(
  message: Message,
  { channel, threadTs }: Place,
  mark: { readonly event_type: string; readonly event_payload: Readonly<Record<string, string>> } | null,
  { web, ...parts }: Pick<MessageParts, 'web' | 'pictures' | 'log'>,
): Promise<ChatPostMessageResponse> {
  const post = ({ text, blocks }: Message) =>
    web.chat.postMessage({
      channel,
      text,
      ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
      ...(mark === null ? {} : { metadata: { ...mark, event_payload: { ...mark.event_payload } } }),
      unfurl_links: false,
      unfurl_media: false,
    });
  return postMessage(message, post, parts);
}

/** The message as Slack takes it; without its blocks where they break Slack's limits, for its text says the same. */
function withinLimits(given: Message, log: Logger): Message {
  const message = settledTexts(given);
  const problems = checkBlocks(message.blocks, 'message');
  if (problems.length === 0) return message;
  log.warn({ problems }, 'blocks break a limit of Slack, sending text');
  return { ...message, blocks: [] };
}

/** Makes a message another one, more plainly where Slack refuses a chart or a table. Fails as the last call does. */
export async function changeMessage(
  web: WebClient,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  message: Message,
  log: Logger,
): Promise<void> {
  // An empty list takes the blocks away that were there.
  const update = ({ text, blocks }: Message) => web.chat.update({ channel, ts, text, blocks: [...blocks] });
  await postMessage(message, update, { log });
}

/** Longer pauses are for the caller to judge. */
const MOST_WAITED_MS = 30_000;

/** Calls Slack, and once more after the pause where it limits the call. Fails as the last call does. */
export async function withRateLimitRetry<Result>(
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
