import { codeText, lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, section } from '../../block-kit/mrkdwn.ts';
import { allowedDays } from '../../questions/parse/read-range.ts';
import type { CommandLine, SlashCommand } from '../app/handler-types.ts';
import { nearWord, notice } from '../app/message-texts.ts';
import type { SlackParts } from '../app/parts.ts';

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

const ROOT = '/delegates';

const lead = 'Who stands in for whom while somebody is away. Only you see the answers.';
const days = `DAY is ${allowedDays}. Without a CATEGORY all of them are told.`;

/** What `/delegates` can do, derived from the list, with examples; of one word more, where it is one of them. */
export function delegatesHelpMessage(commands: readonly CommandLine[], word = ''): Message {
  const own = commands.filter(({ root }) => root === ROOT);
  const named = own.find((one) => one.word === word.toLowerCase());
  if (named === undefined && word !== '') return noSuchWord(word, own);
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

function noSuchWord(word: string, own: readonly CommandLine[]): Message {
  const near = nearWord(word, ROOT, own);
  const words = own.flatMap((one) => (one.word === null ? [] : [codeText(one.word)]));
  return notice(
    `There is no word ${codeText(word)} behind \`${ROOT}\`.`,
    ...(near === null ? [] : [`Did you mean ${lineText(`${ROOT} help ${near}`)}?`]),
    `Try: ${words.join(', ')}, or none for all of them.`,
  );
}

function titleOf({ usage, summary }: CommandLine): string {
  return `\`${usage}\`  ${summary}`;
}

function examplesOf({ examples = [] }: CommandLine): readonly string[] {
  return examples.length === 0 ? [] : [`such as ${examples.map((one) => `\`${one}\``).join(', ')}`];
}
