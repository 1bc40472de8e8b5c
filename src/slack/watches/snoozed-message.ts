import type { Message } from '../../block-kit/message.ts';
import { dateMark, escapeMrkdwn, section, utcText } from '../../block-kit/mrkdwn.ts';
import type { Snooze } from '../../model/watch.ts';

/** What somebody reads who wants to hear nothing of an issue for a while. */
export function snoozedMessage({ key, until }: Snooze): Message {
  const [before, after] = [
    `You hear of ${escapeMrkdwn(key)} again`,
    'if it still sits there, in working hours.',
  ];
  return {
    text: `${before} on ${utcText(until)} ${after}`,
    blocks: [section(`${before} on ${dateMark(until)} ${after}`)],
  };
}
