import type { Message } from '../../block-kit/message.ts';
import { context } from '../../block-kit/mrkdwn.ts';
import type { Place } from './handler-types.ts';
import { isDirect } from './hours-here.ts';
import type { MessageParts } from './parts.ts';
import { postMarked, postMessage } from './post-message.ts';
import { perhapsDone } from './slack-refusal.ts';

/** Where a private message arrived: in the place meant, in the conversation with the app, nowhere, or `unknown`. */
export type NotifyOutcome = 'here' | 'directly' | 'unknown' | 'nowhere';

/**
 * Sends a person a message that only they see in a place and, where Slack refuses that, in their conversation with the
 * app; never where it may have arrived already. What did not arrive is logged.
 */
export async function notifyPerson(
  user: string,
  { channel, threadTs }: Place,
  message: Message,
  parts: MessageParts,
): Promise<NotifyOutcome> {
  const { web, log } = parts;
  const inThread = threadTs === null ? {} : { thread_ts: threadTs };
  try {
    await postMessage(
      message,
      ({ text, blocks }) => web.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...inThread }),
      parts,
    );
    return 'here';
  } catch (error) {
    if (perhapsDone(error)) {
      log.warn({ err: error, channel, user }, 'a private message may have arrived in a channel, or not');
      return 'unknown';
    }
    log.debug({ err: error, channel }, 'a private message was not taken in a channel, sending it directly');
    const where = isDirect(channel) ? 'About your request:' : `About your request in <#${channel}>:`;
    const direct = { text: `${where} ${message.text}`, blocks: [context(where), ...message.blocks] };
    const outcome = await sendDirectMessage(user, direct, parts);
    return outcome === 'posted' ? 'directly' : outcome === 'unknown' ? 'unknown' : 'nowhere';
  }
}

/**
 * Sends a message into a person's conversation with the app, at most once; `unknown` where Slack gave no answer and may
 * have taken it all the same. What did not arrive is logged.
 */
export async function sendDirectMessage(
  account: string,
  message: Message,
  parts: MessageParts,
): Promise<'posted' | 'refused' | 'unknown'> {
  try {
    await postMarked(message, { channel: account, threadTs: null }, null, parts);
    return 'posted';
  } catch (error) {
    const outcome = perhapsDone(error) ? 'unknown' : 'refused';
    parts.log.warn({ err: error, account, outcome }, 'a direct message did not arrive');
    return outcome;
  }
}

/** Sends a person a private message by every way there is: twice does less harm than not at all. */
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
