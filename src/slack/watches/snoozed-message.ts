import type { Snooze } from '../../model/watch.ts';
import type { Message } from '../message.ts';
import { dateMark, escapeMrkdwn, section, utcText } from '../messages/mrkdwn.ts';

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
