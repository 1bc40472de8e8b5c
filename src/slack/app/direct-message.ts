import type { Message } from '../../block-kit/message.ts';
import { context } from '../../block-kit/mrkdwn.ts';
import type { Place } from './handler-types.ts';
import { isDirect } from './hours-here.ts';
import type { MessageParts } from './parts.ts';
import { postMessage } from './post-message.ts';
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
  const { web, log, pictures = null } = parts;
  const inThread = threadTs === null ? {} : { thread_ts: threadTs };
  try {
    await postMessage(
      message,
      ({ text, blocks }) => web.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...inThread }),
      { pictures, log },
    );
    return 'here';
  } catch (error) {
    if (perhapsDone(error)) {
      log.warn({ err: error, channel, user }, 'a private message may have arrived in a channel, or not');
      return 'unknown';
    }
    log.debug({ err: error, channel }, 'a private message was not taken in a channel, sending it directly');
    const outcome = await sendDirectMessage(user, asDirect(message, channel), parts);
    if (outcome === 'told') return 'directly';
    return outcome === 'unknown' ? 'unknown' : 'nowhere';
  }
}

function asDirect({ text, blocks }: Message, channel: string): Message {
  const where = isDirect(channel) ? 'About your request:' : `About your request in <#${channel}>:`;
  return { text: `${where} ${text}`, blocks: [context(where), ...blocks] };
}

/** Whether a message arrived: `unknown` where Slack gave no answer and may have taken it all the same. */
export type Told = 'told' | 'refused' | 'unknown';

/** Sends a message into a person's conversation with the app, at most once. What did not arrive is logged. */
export async function sendDirectMessage(
  account: string,
  message: Message,
  { web, log, pictures = null }: MessageParts,
): Promise<Told> {
  try {
    await postMessage(
      message,
      ({ text, blocks }) =>
        web.chat.postMessage({
          ...{ channel: account, text, unfurl_links: false, unfurl_media: false },
          ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
        }),
      { pictures, log },
    );
    return 'told';
  } catch (error) {
    const outcome = perhapsDone(error) ? 'unknown' : 'refused';
    log.warn({ err: error, account, outcome }, 'a direct message did not arrive');
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
