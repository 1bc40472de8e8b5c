import type { Logger } from 'pino';
import { checkBlocks } from '../block-kit/check-blocks.ts';
import type { Message } from '../block-kit/message.ts';
import { settledTexts } from './settled-texts.ts';

/**
 * The message as Slack takes it and nobody misreads it; without its blocks where they break Slack's limits, for its text
 * says the same.
 */
export function withinLimits(given: Message, log: Logger): Message {
  const message = settledTexts(given);
  const problems = checkBlocks(message.blocks, 'message');
  if (problems.length === 0) return message;
  log.warn({ problems }, 'blocks break a limit of Slack, sending text');
  return { ...message, blocks: [] };
}
