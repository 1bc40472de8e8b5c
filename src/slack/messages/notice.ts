import type { Message } from '../../block-kit/message.ts';
import { section } from '../../block-kit/mrkdwn.ts';

/** A short word to the principal; the same in the block and in the text. Expects what is not ours to be escaped. */
export function notice(...sentences: string[]): Message {
  const text = sentences.join(' ');
  return { text, blocks: [section(text)] };
}
