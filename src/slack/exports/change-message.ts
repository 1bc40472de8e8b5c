import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Message } from '../../block-kit/message.ts';
import { plainBlocks } from '../plain-blocks.ts';
import { withinLimits } from '../within-limits.ts';
import { refusalOf } from './refusal.ts';

/** Slack's words for blocks it does not like, a table where tables are not there yet among them. */
const dislikes =
  /^(invalid_blocks|msg_blocks_too_long|msg_too_long|only_one_table_allowed|invalid_arguments)/;

/**
 * Makes a message another one. Blocks that Slack refuses are sent without their table, then as text alone. Fails as the
 * last call does.
 */
export async function changeMessage(
  web: WebClient,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  message: Message,
  log: Logger,
): Promise<void> {
  const whole = withinLimits(message, log);
  const ladder = [whole.blocks, plainBlocks(whole.blocks), []];
  for (const [step, blocks] of ladder.entries()) {
    try {
      // An empty list takes the blocks away that were there.
      await web.chat.update({ channel, ts, text: whole.text, blocks: [...blocks] });
      return;
    } catch (error) {
      if (step === ladder.length - 1 || !dislikes.test(refusalOf(error) ?? '')) throw error;
      log.warn({ err: error, step }, 'a message was refused, sending it more plainly');
    }
  }
}
