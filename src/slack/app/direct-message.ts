import type { Message } from '../../block-kit/message.ts';
import { context } from '../../block-kit/mrkdwn.ts';
import type { Place } from './handler-types.ts';
import { isDirect } from './hours-here.ts';
import type { MessageParts } from './parts.ts';
import { postMessage, withRateLimitRetry } from './post-message.ts';
import { perhapsDone } from './slack-refusal.ts';

/**
 * Where words reached somebody: where they were meant to, in the conversation with the app, or nowhere; `unknown` where
 * Slack gave no answer and may have taken them all the same.
 */
export type NotifyOutcome = 'here' | 'directly' | 'unknown' | 'nowhere';

/**
 * Tells somebody something in a place where only they see it and, where Slack refuses that, in their conversation with
 * the app; never where they may have read it already. What did not reach them is logged.
 */
export async function notifyPerson(
  user: string,
  { channel, threadTs }: Place,
  message: Message,
  { web, wait, log, pictures = null }: MessageParts,
): Promise<NotifyOutcome> {
  const inThread = threadTs === null ? {} : { thread_ts: threadTs };
  const post = () =>
    postMessage(
      message,
      ({ text, blocks }) => web.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...inThread }),
      { pictures, log },
    );
  try {
    await withRateLimitRetry(post, wait);
    return 'here';
  } catch (error) {
    if (perhapsDone(error)) {
      log.warn({ err: error, channel, user }, 'nobody knows whether a private word was taken in a channel');
      return 'unknown';
    }
    log.debug({ err: error, channel }, 'a private word was not taken in a channel, telling it directly');
    const told = await sendDirectMessage(user, asDirect(message, channel), { web, wait, log, pictures });
    if (told === 'told') return 'directly';
    return told === 'unknown' ? 'unknown' : 'nowhere';
  }
}

function asDirect({ text, blocks }: Message, channel: string): Message {
  const where = isDirect(channel)
    ? 'About what you asked for:'
    : `About what you asked for in <#${channel}>:`;
  return { text: `${where} ${text}`, blocks: [context(where), ...blocks] };
}

/** Whether words reached somebody: `unknown` where Slack gave no answer and may have taken them all the same. */
export type Told = 'told' | 'refused' | 'unknown';

/**
 * Tells somebody something in their conversation with the app: once more where Slack wants us to wait first, never
 * where they may have read it already. What did not reach them is logged.
 */
export async function sendDirectMessage(
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
    await withRateLimitRetry(post, wait);
    return 'told';
  } catch (error) {
    const told = perhapsDone(error) ? 'unknown' : 'refused';
    log.warn({ err: error, account, told }, 'a direct word did not reach somebody');
    return told;
  }
}

/** Tells somebody privately what they wait for, by every way there is: told twice does less harm than not at all. */
export async function notifyCertainly(
  account: string,
  place: Place,
  message: Message,
  parts: MessageParts,
): Promise<void> {
  if ((await notifyPerson(account, place, message, parts)) === 'unknown') {
    await sendDirectMessage(account, message, parts);
  }
}
