import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Place } from './command.ts';
import type { Message } from './message.ts';
import { context } from './messages/mrkdwn.ts';
import { withinLimits } from './within-limits.ts';

/**
 * Tells somebody something in a place where only they see it and, where Slack does not do that, in their conversation
 * with the app. What reaches them nowhere is logged.
 */
export async function tellPerson(
  user: string,
  { channel, threadTs }: Place,
  message: Message,
  { web, log }: { readonly web: WebClient; readonly log: Logger },
): Promise<void> {
  const { text, blocks } = withinLimits(message, log);
  const inThread = threadTs === null ? {} : { thread_ts: threadTs };
  try {
    await web.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...inThread });
  } catch (refusal) {
    log.debug({ err: refusal, channel }, 'a private word was not taken in a channel, telling it directly');
    const where = `About what you asked for in <#${channel}>:`;
    const direct = withinLimits(
      { text: `${where} ${text}`, blocks: [context(where), ...message.blocks] },
      log,
    );
    await web.chat
      .postMessage({ channel: user, text: direct.text, blocks: [...direct.blocks] })
      .catch((error: unknown) => log.warn({ err: error, user }, 'a private word reached nobody'));
  }
}
