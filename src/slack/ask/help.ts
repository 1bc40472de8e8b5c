import type { SectionBlock } from '@slack/types';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import type { Principal } from '../../model/request.ts';
import type { CommandLine, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { nearWord, notice } from '../app/message-texts.ts';
import type { ReadingParts, SlackParts } from '../app/parts.ts';
import { type Advice, capitalized, runButton, withAdvice, withoutOptions } from '../app/show-failure.ts';
import { lineBlocks, type Message } from '../blocks/message.ts';
import { codeText, context, lineText, section } from '../blocks/mrkdwn.ts';
import { principalOrNobody } from '../people/accounts.ts';
import { exampleKey } from './parser-context-of.ts';

/** `/tis help`: what to begin with, all commands, or more about one. */
export const tisHelp: SlashCommand<
  Pick<SlackParts, 'accounts' | 'channels' | 'commands' | 'people' | 'reporting'>
> = {
  root: '/tis',
  word: 'help',
  usage: '/tis help [all | TOPIC]',
  summary: 'examples to begin with, all commands, or more about one',
  examples: ['/tis help all', '/tis help weekly'],
  async answer({ principal, place, words: [topic] }, parts) {
    const commands = parts.commands.filter(({ root }) => root === '/tis');
    // Examples are what this person can see, and nothing of others.
    const known = await principalOrNobody(principal.account, parts);
    const key = known === null ? null : await exampleKey(known, place, principal.account, parts);
    return [helpTopic(commands, topic, key)];
  },
};

/** The five words that lead, with an issue and a project that can be seen. */
function helpMessage(key: string | null): Message {
  const filter = key === null ? '' : ` ${projectKeyOf({ key })}`;
  const rows = [
    ...(key === null ? [] : [row('Time in status of an issue', `/tis ${key}`)]),
    row('How last week went', `/tis weekly${filter}`),
    row('What is stuck', `/tis aging${filter}`),
    row('What is waiting for me', '/tis mine'),
    row('Post it every Monday', `/tis digest weekly${filter}`, 'Set up'),
  ];
  const more = 'More: projects, sprints, JQL, exports, settings';
  return {
    text: [lead, ...rows.map(({ text }) => text?.text ?? ''), more].join('\n'),
    blocks: [section(`*${lead}*`), ...rows, section(more, runButton('/tis help all', 'All commands'))],
  };
}

const lead = 'What would you like to know?';

function row(what: string, line: string, press = 'Run'): SectionBlock {
  return section(`${what}  ${lineText(line)}`, runButton(line, press));
}

/** Everything after `/tis`, derived from the list: a line of each that works. */
function allCommands(commands: readonly CommandLine[], key: string | null): Message {
  const lines = commands
    .filter(({ isInSettings }) => isInSettings === undefined)
    .map((one) => {
      const [line = withoutOptions(one.usage)] = examplesOf(one, key);
      return `${lineText(line)}  ${capitalized(one.summary)}`;
    });
  return lineBlocks([...lines, 'Details: `/tis help weekly`']);
}

const MAX_EXAMPLES = 4;

/**
 * Help with what to begin with (no topic), with all commands (`all`), or with one: what it does, examples with an issue
 * that can be seen, its grammar as small print.
 */
export function helpTopic(commands: readonly CommandLine[], topic = '', key: string | null = null): Message {
  if (topic === '') return helpMessage(key);
  if (topic.toLowerCase() === 'all') return allCommands(commands, key);
  const named = commands.find(({ word }) => word === topic.toLowerCase()) ?? shownIn(commands, topic);
  if (named === undefined) return noSuchTopic(commands, topic);
  const { usage, summary, details = '' } = named;
  const examples = examplesOf(named, key).slice(0, MAX_EXAMPLES);
  const sentence = `${capitalized(summary)}.`;
  const grammar = [details, `\`${usage}\``].filter((part) => part !== '').join('\n');
  return {
    text: [sentence, ...examples.map(lineText), grammar].join('\n'),
    blocks: [
      section(sentence),
      ...examples.map((line) => section(lineText(line), runButton(line, 'Run'))),
      context(grammar),
    ],
  };
}

/** Those of ours name the sample's projects; an example of two of them is of no use elsewhere. */
function examplesOf({ examples = [] }: CommandLine, key: string | null): readonly string[] {
  const project = key === null ? 'WEB' : projectKeyOf({ key });
  if (project === 'WEB') return examples;
  return examples
    .filter((one) => !/\bAPP\b/.test(one))
    .map((one) => one.replaceAll(/\bWEB-\d+\b/g, () => key ?? '').replaceAll(/\bWEB\b/g, () => project));
}

/** Some words are in the examples of another command only. */
function shownIn(commands: readonly CommandLine[], topic: string): CommandLine | undefined {
  const start = (root: string) => `${root} ${topic.toLowerCase()} `;
  return commands.find(({ root, examples = [] }) =>
    examples.some((one) => one.toLowerCase().startsWith(start(root))),
  );
}

function noSuchTopic(commands: readonly CommandLine[], topic: string): Message {
  const near = nearWord(topic, '/tis', commands);
  return withAdvice(notice(`I couldn't find ${codeText(topic)}.`), {
    text: '',
    lines: [...(near === null ? [] : [`/tis help ${near}`]), '/tis help', '/tis help all'],
  });
}

/** The parts of a line that works: an issue that the account can see, and its project. */
export interface Example {
  readonly key: string;
  readonly project: string;
}

/** Advice to run other lines: `lines` makes them from an issue that works here. */
export async function examplesFor(
  { principal: { account }, place }: Pick<SlashInvocation, 'principal' | 'place'>,
  lines: (example: Example) => readonly string[],
  parts: ReadingParts & Pick<SlackParts, 'reporting' | 'sync'>,
): Promise<Advice> {
  const principal = await principalOrNobody(account, parts);
  if (principal === null) return { text: '', lines: ['/tis help'] };
  const key = await exampleKey(principal, place, account, parts);
  return key === null
    ? whatBringsIssues(principal, parts)
    : { text: '', lines: [...lines({ key, project: projectKeyOf({ key }) }), '/tis help'] };
}

/** The advice where no issue is found. It does not say if there are none or only hidden ones: not everyone may know. */
async function whatBringsIssues({ rights }: Principal, { sync }: Pick<SlackParts, 'sync'>): Promise<Advice> {
  const isUnlinked = rights === 'stranger';
  const missing = isUnlinked
    ? "I can't find an issue that everyone can see, and I don't know your Jira user."
    : "I can't find an issue that you can see.";
  const bring = ' Import issues with `npx dwell import FILE`, or ask an admin which you can see.';
  const text = `${missing}${(await sync.progress()) === null ? bring : ''}`;
  return { text, lines: [...(isUnlinked ? ['/tis link'] : []), '/tis status'] };
}
