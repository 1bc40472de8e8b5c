import type { Message } from '../../block-kit/message.ts';
import { section } from '../../block-kit/mrkdwn.ts';
import { SIDE_BY_SIDE } from '../../questions/issue/issues-kind.ts';
import { keysInMessage } from '../../questions/parse/typed-words.ts';
import type { SlackAction, SlackShortcut } from '../app/handler-types.ts';
import { button, notice } from '../app/message-texts.ts';
import type { AskingParts } from '../app/parts.ts';
import { answerTyped } from './ask-command.ts';

/** More keys a report of a message is not meant for. */
const MOST_KEYS = 50;

/** *Time in status* on a message: that of the issues it mentions, and the way to a report of them all. */
export const timeInStatus: SlackShortcut<AskingParts> = {
  id: 'time-in-status',
  type: 'message',
  async run({ message, ...person }, parts) {
    const keys = keysInMessage(message?.text ?? '').slice(0, MOST_KEYS);
    if (message === null || keys.length === 0) {
      return [
        notice('This message mentions no issues. I look for keys such as `WEB-350`, and links to issues.'),
      ];
    }
    const shown = keys.slice(0, SIDE_BY_SIDE).join(' ');
    const asked = { ...person, place: message.place, text: shown, words: shown.split(' ') };
    const messages = await answerTyped(shown, asked, parts, ({ key }) => [`/tis ${key}`]);
    return keys.length === 1 ? messages : [...messages, wayToReport(keys)];
  },
};

function wayToReport(keys: readonly string[]): Message {
  const text =
    keys.length > SIDE_BY_SIDE
      ? `The message mentions ${keys.length} issues; these are the first ${SIDE_BY_SIDE}.`
      : 'All of them in one report:';
  return {
    text,
    blocks: [
      section(text),
      {
        type: 'actions',
        elements: [button('Build a report', 'open-builder', `filter ${keys.join(', ')}`)],
      },
    ],
  };
}

/** The link to an issue: the browser follows it, Slack only wants to be heard. */
export const openIssue: SlackAction<object> = {
  id: 'open-issue',
  run: async () => [],
};
