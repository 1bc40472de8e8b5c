import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import type { Principal } from '../../model/principal.ts';
import { nearestOf } from '../../questions/parse/names-meant.ts';
import type { CommandLine, Person, SlashCommand } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { ReadingParts, SlackParts } from '../app/parts.ts';
import { principalOrNobody } from '../people/principals.ts';

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

/** What a line that works is made of: an issue that somebody can see, and its project. */
export interface Example {
  readonly key: string;
  readonly project: string;
}

/** What to try (mrkdwn), with an issue that works here; `lines` makes whole lines of it. */
export async function examplesFor(
  { principal: { account } }: Pick<Person, 'principal'>,
  lines: (example: Example) => readonly string[],
  parts: ReadingParts & Pick<SlackParts, 'reporting' | 'sync'>,
): Promise<string> {
  const principal = await principalOrNobody(account, parts);
  if (principal === null) return 'Try `/tis help`.';
  const [key] = await parts.reporting.exampleKeys(principal, 1);
  if (key === undefined) return whatBringsIssues(principal, parts);
  const marked = lines({ key, project: key.slice(0, key.lastIndexOf('-')) }).map(
    (line) => `\`${escapeMrkdwn(line)}\``,
  );
  return `Try ${[...marked, '`/tis help`'].join(', or ').replace(/, or (?=.*, or )/g, ', ')}.`;
}

/** Whether there are none, or none that they may see, is not for everybody to know. */
async function whatBringsIssues({ rights }: Principal, { sync }: Pick<SlackParts, 'sync'>): Promise<string> {
  const bring =
    (await sync.status()) === null
      ? 'Import some with `npm run dwell -- import FILE`, or ask an admin whether you may see any.'
      : '`/tis status` tells how fresh they are, and who you are to me.';
  if (rights !== 'stranger') return `There is no issue here that you may see. ${bring}`;
  return `There is no issue here that everybody may see, and I do not know who you are in the tracker: say it with \`/tis link\`. ${bring}`;
}
