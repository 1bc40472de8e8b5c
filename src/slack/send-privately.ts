import { RespondError, type RespondFn } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Message } from './message.ts';
import { plainBlocks } from './plain-blocks.ts';
import { withinLimits } from './within-limits.ts';

/**
 * Sends messages only the asker sees, in order. A message whose blocks break Slack's limits goes out as text. Once
 * Slack refuses a table, everything left goes out as one message with preformatted text: a response URL works five
 * times only, and each refusal may cost one.
 */
export async function sendPrivately(
  messages: readonly Message[],
  respond: RespondFn,
  log: Logger,
): Promise<void> {
  for (const [i, message] of messages.entries()) {
    try {
      await say(withinLimits(message, log), respond);
    } catch (error) {
      if (!isRefusal(error) || !message.blocks.some((block) => block.type === 'table')) throw error;
      log.warn({ err: error }, 'a message with a table was refused, sending preformatted text');
      await say(withinLimits(joined(messages.slice(i)), log), respond);
      return;
    }
  }
}

function joined(messages: readonly Message[]): Message {
  return {
    text: messages.map((message) => message.text).join('\n\n'),
    blocks: messages.flatMap((message) => plainBlocks(message.blocks)),
  };
}

/** Slack looked at the message and did not like it; a used-up address (404) or a failure of Slack is none. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof RespondError &&
    error.statusCode >= 400 &&
    error.statusCode < 500 &&
    error.statusCode !== 404
  );
}

async function say({ text, blocks }: Message, respond: RespondFn): Promise<void> {
  await respond({
    response_type: 'ephemeral',
    replace_original: false,
    text,
    ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
  });
}
