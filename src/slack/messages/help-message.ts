import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, section } from '../../block-kit/mrkdwn.ts';
import { nearestOf } from '../../questions/parse/names-meant.ts';
import type { CommandLine } from '../command.ts';
import { notice } from './notice.ts';

const lead =
  'Dwell tells how long work dwells: in which status, how often, and since when. Only you see the answers.';
const foot = '`/tis help TOPIC` tells more of one word, such as `weekly`.';

/** A section takes 3,000 characters. */
const SECTION_CHARACTERS = 2_800;

/** What slash commands can do, derived from the list, and an example that works. */
export function helpMessage(commands: readonly CommandLine[], exampleKey: string | null): Message {
  const example = exampleKey === null ? [] : [`Try \`/tis ${exampleKey}\`.`];
  const marked = commands.map(({ usage, summary }) => `\`${usage}\`  ${summary}`);
  return {
    text: [lead, ...commands.map(({ usage, summary }) => `${usage}: ${summary}.`), ...example, foot].join(
      '\n',
    ),
    blocks: [...[lead, ...grouped([...marked, ...example])].map(section), context(foot)],
  };
}

/**
 * More of one word behind a slash command, with examples of the project of an issue that can be seen; of one that is
 * none the nearest, and all there are.
 */
export function helpTopic(
  commands: readonly CommandLine[],
  topic: string,
  exampleKey: string | null = null,
): Message {
  const named = commands.find(({ word }) => word === topic.toLowerCase()) ?? shownIn(commands, topic);
  if (named === undefined) return noSuchTopic(commands, topic);
  const { usage, summary, details = '' } = named;
  const examples = examplesOf(named, exampleKey);
  const parts = [
    `\`${usage}\`  ${summary}`,
    ...(details === '' ? [] : [details]),
    ...(examples.length === 0 ? [] : [`such as ${examples.map((one) => `\`${one}\``).join(', ')}`]),
  ];
  return { text: parts.join('\n'), blocks: parts.map(section) };
}

/** Those of ours name the sample's projects; an example of two of them is of no use elsewhere. */
function examplesOf({ examples = [] }: CommandLine, exampleKey: string | null): readonly string[] {
  const project = exampleKey?.slice(0, exampleKey.lastIndexOf('-')) ?? 'WEB';
  if (project === 'WEB') return examples;
  return examples
    .filter((one) => !/\bAPP\b/.test(one))
    .map((one) =>
      one.replaceAll(/\bWEB-\d+\b/g, () => exampleKey ?? '').replaceAll(/\bWEB\b/g, () => project),
    );
}

/** Some words are told of by the examples of another. */
function shownIn(commands: readonly CommandLine[], topic: string): CommandLine | undefined {
  const start = (root: string) => `${root} ${topic.toLowerCase()} `;
  return commands.find(({ root, examples = [] }) =>
    examples.some((one) => one.toLowerCase().startsWith(start(root))),
  );
}

function noSuchTopic(commands: readonly CommandLine[], topic: string): Message {
  const words = commands.flatMap(({ word }) => (word === null ? [] : [word]));
  const near = nearestOf(topic, words);
  return notice(
    `There is no word ${codeText(topic)} behind \`/tis\`.`,
    ...(near === null ? [] : [`Did you mean \`/tis help ${near}\`?`]),
    `Try: ${words.map(codeText).join(', ')}, or none for all of them.`,
  );
}

function grouped(lines: readonly string[]): readonly string[] {
  const groups: string[] = [];
  for (const line of lines) {
    const open = groups.at(-1);
    if (open === undefined || open.length + line.length >= SECTION_CHARACTERS) groups.push(line);
    else groups[groups.length - 1] = `${open}\n${line}`;
  }
  return groups;
}
