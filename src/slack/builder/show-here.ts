import { limits } from '../../block-kit/limits.ts';
import type { Message } from '../../block-kit/message.ts';
import { type NotifyOutcome, notifyPerson, sendDirectMessage } from '../app/direct-message.ts';
import type { Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { MessageParts } from '../app/parts.ts';
import { plainBlocks } from '../app/pictures.ts';

/** Where an answer stands: where the worst told of its messages does. What reached nobody is handed back. */
interface ShownHere {
  readonly where: NotifyOutcome;
  readonly untold: readonly Message[];
}

/** From where everything is well. */
const worse: readonly NotifyOutcome[] = ['here', 'directly', 'unknown', 'nowhere'];

/** Tells somebody an answer where they asked for it, in order, so that nobody else reads it. */
export async function showHere(
  messages: readonly Message[],
  { account, place }: { readonly account: string; readonly place: Place },
  parts: MessageParts,
): Promise<ShownHere> {
  let where: NotifyOutcome = 'here';
  const untold: Message[] = [];
  for (const message of messages) {
    const told = await answerOne(message, account, place, parts);
    if (told === 'nowhere') untold.push(message);
    if (worse.indexOf(told) > worse.indexOf(where)) where = told;
  }
  return { where, untold };
}

async function answerOne(
  message: Message,
  account: string,
  place: Place,
  parts: MessageParts,
): Promise<NotifyOutcome> {
  if (!isDirect(place.channel)) return notifyPerson(account, place, message, parts);
  const told = await sendDirectMessage(account, message, parts);
  if (told === 'told') return 'here';
  return told === 'unknown' ? 'unknown' : 'nowhere';
}

/** What the modal says of an answer that was told elsewhere, or could not be: then it stands in the modal itself. */
export function whereItIs({ where, untold }: ShownHere, channel: string, saved: readonly string[]): Message {
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
