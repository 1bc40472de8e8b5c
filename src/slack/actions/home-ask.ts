import type { SlackAction } from '../action.ts';
import type { SlackParts } from '../parts.ts';

/** A button of the Home tab that stands for a slash command; its value is the line, with a word behind the command. */
export const homeAsk: SlackAction<Pick<SlackParts, 'commands'>> = {
  id: 'home-ask',
  async run({ principal, userName, place, open, value }, { commands }) {
    const [root, word, ...words] = value.split(' ');
    const command = commands.find((one) => one.root === root && one.word === word);
    if (command === undefined) throw new Error(`Nothing answers ${root} ${word}`);
    return command.answer({ principal, userName, place, open, words, text: words.join(' ') });
  },
};
