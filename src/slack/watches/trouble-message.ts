import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Watch } from '../../model/watch.ts';
import { button } from '../messages/button.ts';
import { deleteButton } from './nudge-message.ts';
import { ruleWords } from './rule-words.ts';

const REASON_LENGTH = 1_000;

/** What the owner of a watch is told when it cannot work any more. */
export function troubleMessage(watch: Watch): Message {
  const rule = escapeMrkdwn(ruleWords(watch));
  const why = escapeMrkdwn(shorten(watch.trouble ?? 'Nobody knows why.', REASON_LENGTH));
  const cure =
    'Put that right and press Resume, or stop this watch and make another with `/tis watch new`. `/tis watch` shows all of yours.';
  return {
    text: `Your watch of ${rule} is paused: ${why} ${cure}`,
    blocks: [
      section(`Your watch of *${rule}* is paused.\n${why}`),
      {
        type: 'actions',
        elements: [button('Resume', 'watch-resume', watch.id), deleteButton('Stop this watch', watch.id)],
      },
      context(cure),
    ],
  };
}
