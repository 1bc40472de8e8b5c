import { limits } from '../../block-kit/limits.ts';
import type { Message } from '../../block-kit/message.ts';
import { isDirect } from '../hours-here.ts';
import { notice } from '../messages/notice.ts';
import { plainBlocks } from '../plain-blocks.ts';
import type { ToldHere } from './tell-here.ts';

/** What the modal says of an answer that was told elsewhere, or could not be: then it stands in the modal itself. */
export function whereItStands(
  { where, untold }: ToldHere,
  channel: string,
  saved: readonly string[],
): Message {
  const place = placeText(channel);
  switch (where) {
    case 'here':
      return notice(`Here it is: the answer stands in ${place}, for you alone.`, ...saved);
    case 'directly':
      return notice(
        `Slack does not let me tell you alone in ${place}, so the answer stands in our conversation.`,
        ...saved,
      );
    case 'unknown':
      return notice(
        `Slack gave no answer, so I do not know whether the answer stands in ${place}.`,
        'Please look; if it is not there, ask once more.',
        ...saved,
      );
    case 'nowhere':
      return withAnswer(
        notice(
          `Slack let me tell you neither in ${place} nor in our conversation.`,
          'The answer stands here, until you close this.',
          ...saved,
        ),
        untold,
      );
  }
}

/** A channel, or the conversation with the app, in a sentence. */
export function placeText(channel: string): string {
  return isDirect(channel) ? 'our conversation' : `<#${channel}>`;
}

/** A modal shows no charts and no tables; buttons would not know where they were pressed. */
function withAnswer(word: Message, answer: readonly Message[]): Message {
  const blocks = answer.flatMap((message) => plainBlocks(message.blocks));
  return {
    text: [word, ...answer].map(({ text }) => text).join('\n'),
    blocks: [...word.blocks, ...blocks.filter(({ type }) => type !== 'actions')].slice(
      0,
      limits.blocks.modal,
    ),
  };
}
