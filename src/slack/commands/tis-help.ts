import type { SlashCommand } from '../command.ts';
import { helpMessage, helpTopic } from '../messages/help-message.ts';
import type { SlackParts } from '../parts.ts';
import { principalOrNobody } from '../people/resolve-principal.ts';

/** `/tis help`: what there is to ask, or more of one word. */
export const tisHelp: SlashCommand<Pick<SlackParts, 'accounts' | 'commands' | 'people' | 'reporting'>> = {
  root: '/tis',
  word: 'help',
  usage: '/tis help [TOPIC]',
  summary: 'tell what there is to ask',
  examples: ['/tis help weekly'],
  details: 'TOPIC is the word behind the command, such as `weekly` or `jql`.',
  async answer({ principal, words: [topic] }, parts) {
    const commands = parts.commands.filter(({ root }) => root === '/tis');
    // What there is to ask is told to everybody, and what others ask to nobody.
    const known = await principalOrNobody(principal.account, parts);
    const [key = null] = known === null ? [] : await parts.reporting.exampleKeys(known, 1);
    return [topic === undefined ? helpMessage(commands, key) : helpTopic(commands, topic, key)];
  },
};
