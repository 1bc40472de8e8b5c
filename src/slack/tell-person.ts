import type { Message } from '../block-kit/message.ts';
import { context } from '../block-kit/mrkdwn.ts';
import type { Place } from './command.ts';
import { mayBeDone } from './exports/refusal.ts';
import { isDirect } from './hours-here.ts';
import type { MessageParts } from './parts.ts';
import { patiently } from './patiently.ts';
import { postMessage } from './post-message.ts';
import { tellDirectly } from './tell-directly.ts';

/**
 * Where words reached somebody: where they were meant to, in the conversation with the app, or nowhere; `unknown` where
 * Slack gave no answer and may have taken them all the same.
 */
export type ToldWhere = 'here' | 'directly' | 'unknown' | 'nowhere';

/**
 * Tells somebody something in a place where only they see it and, where Slack refuses that, in their conversation with
 * the app; never where they may have read it already. What did not reach them is logged.
 */
export async function tellPerson(
  user: string,
  { channel, threadTs }: Place,
  message: Message,
  { web, wait, log, pictures = null }: MessageParts,
): Promise<ToldWhere> {
  const inThread = threadTs === null ? {} : { thread_ts: threadTs };
  const post = () =>
    postMessage(
      message,
      ({ text, blocks }) => web.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...inThread }),
      { pictures, log },
    );
  try {
    await patiently(post, wait);
    return 'here';
  } catch (error) {
    if (mayBeDone(error)) {
      log.warn({ err: error, channel, user }, 'nobody knows whether a private word was taken in a channel');
      return 'unknown';
    }
    log.debug({ err: error, channel }, 'a private word was not taken in a channel, telling it directly');
    const told = await tellDirectly(user, asDirect(message, channel), { web, wait, log, pictures });
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
