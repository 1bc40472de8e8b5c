import type { RespondFn } from '@slack/bolt';
import type { Logger } from 'pino';
import { checkBlocks } from '../block-kit/check-blocks.ts';
import type { Message } from './message.ts';
import { plainBlocks } from './plain-blocks.ts';

/**
 * Sends messages only the asker sees, in order. A message whose blocks break Slack's limits goes out as text; one
 * that Slack refuses with a table goes out once more with the table as preformatted text.
 */
export async function sendPrivately(
  messages: readonly Message[],
  respond: RespondFn,
  log: Logger,
): Promise<void> {
  for (const message of messages) {
    const problems = checkBlocks(message.blocks, 'message');
    if (problems.length > 0) log.warn({ problems }, 'blocks break a limit of Slack, sending text');
    const blocks = problems.length > 0 ? [] : [...message.blocks];
    try {
      await say(message.text, blocks, respond);
    } catch (error) {
      if (!blocks.some((block) => block.type === 'table')) throw error;
      log.warn({ err: error }, 'a message with a table was refused, sending preformatted text');
      await say(message.text, plainBlocks(blocks), respond);
    }
  }
}

async function say(text: string, blocks: Message['blocks'], respond: RespondFn): Promise<void> {
  await respond({
    response_type: 'ephemeral',
    replace_original: false,
    text,
    ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
  });
}
