import type { SlashCommand } from '../command.ts';
import { helpMessage } from '../messages/help-message.ts';

/** `/tis help`: what there is to ask. */
export const tisHelp: SlashCommand = {
  root: '/tis',
  word: 'help',
  usage: '/tis help',
  summary: 'tell what there is to ask',
  async answer({ asker }, { reporting, commands }) {
    const [key = null] = await reporting.exampleKeys(asker, 1);
    return [
      helpMessage(
        commands.filter((command) => command.root === '/tis'),
        key,
      ),
    ];
  },
};
