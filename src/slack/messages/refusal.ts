import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, plainSection, section } from '../../block-kit/mrkdwn.ts';

/**
 * What was wrong, and what to do. The sentences repeat what somebody typed and what a query may hold: the signs of JQL
 * would be read as marks, so they stand as plain text. Expects the advice to be escaped.
 */
export function refusal(sentences: readonly string[], advice: string): Message {
  const text = sentences.join(' ');
  return { text: `${escapeMrkdwn(text)} ${advice}`, blocks: [plainSection(text), section(advice)] };
}
