import type { Message } from '../message.ts';
import { section } from './mrkdwn.ts';

/** A short word to the principal; the same in the block and in the text. Expects what is not ours to be escaped. */
export function notice(...sentences: string[]): Message {
  const text = sentences.join(' ');
  return { text, blocks: [section(text)] };
}
