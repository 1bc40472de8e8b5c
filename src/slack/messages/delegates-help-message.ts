import type { SlashCommand } from '../command.ts';
import { allowedDays } from '../days/read-day.ts';
import type { Message } from '../message.ts';
import { context, section } from './mrkdwn.ts';

const lead = 'Who stands in for whom while somebody is away. Only you see the answers.';
const days = `DAY is ${allowedDays}. Without a CATEGORY all of them are told.`;

/** What `/delegates` can do, derived from the list, with examples; of one word more, where it is one of them. */
export function delegatesHelpMessage(commands: readonly SlashCommand[], word = ''): Message {
  const own = commands.filter(({ root }) => root === '/delegates');
  const named = own.find((one) => one.word === word.toLowerCase());
  const parts =
    named === undefined
      ? own.map((one) => [titleOf(one), ...examplesOf(one)].join('\n'))
      : [[titleOf(named), named.details, ...examplesOf(named)].join('\n')];
  const foot = named === undefined || named.usage.includes('DAY') ? [days] : [];
  return {
    text: [lead, ...parts, ...foot].join('\n'),
    blocks: [...[lead, ...parts].map(section), ...foot.map(context)],
  };
}

function titleOf({ usage, summary }: SlashCommand): string {
  return `\`${usage}\`  ${summary}`;
}

function examplesOf({ examples = [] }: SlashCommand): readonly string[] {
  return examples.length === 0 ? [] : [`such as ${examples.map((one) => `\`${one}\``).join(', ')}`];
}
