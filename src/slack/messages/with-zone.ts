import type { Message } from '../../block-kit/message.ts';
import { context } from '../../block-kit/mrkdwn.ts';

/** A message with small print that names the zone of all its times. */
export function withZone({ text, blocks }: Message, timeZone: string): Message {
  const foot = zoneText(timeZone);
  return { text: `${text}\n${foot}`, blocks: [...blocks, context(foot)] };
}

/** Whose clocks the times of a message are of. */
export function zoneText(timeZone: string): string {
  return `Times of ${timeZone}.`;
}
