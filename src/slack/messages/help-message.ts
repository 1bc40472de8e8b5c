import type { SlashCommand } from '../command.ts';
import type { Message } from '../message.ts';
import { section } from './mrkdwn.ts';

/** What a slash command can do, derived from the list, and an example that works. */
export function helpMessage(commands: readonly SlashCommand[], exampleKey: string | null): Message {
  const lead = 'Dwell tells how long work dwells: in which status, how often, and since when.';
  const lines = commands.map(({ usage, summary }) => ({ usage, summary }));
  const example = exampleKey === null ? [] : [`Try \`/tis ${exampleKey}\`.`];
  return {
    text: [lead, ...lines.map(({ usage, summary }) => `${usage}: ${summary}.`), ...example].join('\n'),
    blocks: [
      section(
        [lead, '', ...lines.map(({ usage, summary }) => `\`${usage}\`  ${summary}`), ...example].join('\n'),
      ),
    ],
  };
}
