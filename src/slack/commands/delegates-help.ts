import type { SlashCommand } from '../command.ts';
import { delegatesHelpMessage } from '../messages/delegates-help-message.ts';
import type { SlackParts } from '../parts.ts';

/** `/delegates help`: what there is to ask, or more of one word. */
export const delegatesHelp: SlashCommand<Pick<SlackParts, 'commands'>> = {
  root: '/delegates',
  word: 'help',
  usage: '/delegates help [WORD]',
  summary: 'tell what there is to ask',
  examples: ['/delegates help set'],
  details: 'WORD is the word behind the command, such as `set`.',
  answer: async ({ words: [word] }, { commands }) => [delegatesHelpMessage(commands, word)],
};
