import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Logger } from 'pino';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import { principalIn } from '../../model/request.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { SIDE_BY_SIDE } from '../answers/issue/issues-view.ts';
import type {
  CommandLine,
  Place,
  SlackAction,
  SlackShortcut,
  SlashCommand,
  SlashInvocation,
} from '../app/handler-types.ts';
import { withZoneNote } from '../app/hours-here.ts';
import { notice, offer, withFootnote, withLead } from '../app/message-texts.ts';
import type { AskingParts, MessageParts, ReadingParts, SlackParts } from '../app/parts.ts';
import { type Listener, respondAt, sendPrivately } from '../app/post-message.ts';
import { failureMessage, lineRefusal, refusal, typedSentences } from '../app/show-failure.ts';
import { type Message, someOf } from '../blocks/message.ts';
import { button, settledTexts, unescapeMrkdwn } from '../blocks/mrkdwn.ts';
import { coverLine, isAboutCover } from '../delegates/read-cover.ts';
import { correctedLines } from './grammar/names-meant.ts';
import { keysInMessage } from './grammar/typed-words.ts';
import { type Example, examplesFor } from './help.ts';
import { lastAnswerIn, lineAbout } from './last-answer.ts';
import { parserContextOf } from './parser-context-of.ts';
import { asksHelp, asksHours } from './plain/whole-sentences.ts';
import { questionProblem, readQuestion, showAnswer } from './read-question.ts';

/** `/tis KEY [KEY…]`, and whatever begins with no word of a command. */
export const tisIssue: SlashCommand<AskingParts> = {
  root: '/tis',
  word: null,
  usage: '/tis KEY [KEY…]',
  summary: 'Time in status of an issue, or of several side by side',
  examples: ['/tis WEB-350', '/tis WEB-350 APP-12', '/tis WEB-350 by assignee', '/tis WEB-350 in hours'],
  details:
    'A pasted link works like a key. `by history` shows each move, with its time and who made it. Without anything after it, `/tis` opens the report builder.',
  async answer(invocation, parts) {
    const other = await otherLine(invocation.text, parts);
    if (other === null) return answerTyped(invocation.text, invocation, parts, examples);
    const [root = '', ...words] = other.split(' ');
    return answerLine(root, words.join(' '), invocation, parts, parts.log);
  },
};

/** A button or a menu's option that runs the line it carries, such as `/tis weekly WEB`. */
export const runLine: SlackAction<Pick<SlackParts, 'channels' | 'commands' | 'lastAnswers' | 'log'>> = {
  id: 'run-line',
  async run({ value, principal, userName, place, open }, parts) {
    const [root = '', ...words] = value.split(' ');
    const line = words.join(' ');
    const messages = await answerLine(root, line, { principal, userName, place, open }, parts, parts.log);
    await parts.lastAnswers.remember(principal.account, place, lastAnswerIn(messages, { line, start: 0 }));
    return messages;
  },
};

const examples = ({ key, project }: Example) => [`/tis ${key}`, `/tis ${project} last 30 days by assignee`];

/** Answers a question as it was typed after `/tis`; what is wrong with it comes with lines that work here. */
export async function answerTyped(
  typed: string,
  invocation: SlashInvocation,
  parts: AskingParts,
  lines: (example: Example) => readonly string[],
): Promise<readonly Message[]> {
  const account = invocation.principal.account;
  try {
    const { question, remark, plain } = await readQuestion(typed, account, invocation.place, parts);
    const shown = await showAnswer(question, account, invocation.place, parts);
    const readAs = plain?.readAs ?? null;
    const messages = readAs === null ? shown : withLead(shown, readAs);
    return remark === null ? messages : withFootnote(messages, remark);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'bad-request' && error.code !== 'not-found'))
      throw error;
    const near = await nearestLines(typed, error, account, invocation.place, parts, parts.commands);
    const offered = near.lines.map((line) => `/tis ${line}`);
    if (near.labels.length > 0) return [refusal(sentencesFor(error), { ...near, text: '', lines: offered })];
    const advice = await examplesFor(invocation, near.lines.length > 0 ? () => [] : lines, parts);
    return [lineRefusal(error, `/tis ${typed}`, sentencesFor(error), advice, offered)];
  }
}

/** Sentences for an error that do not say if an issue is missing or hidden: not everyone may know that. */
function sentencesFor(error: AppError): readonly string[] {
  const { keys } = error.data;
  if (error.reason !== 'unknown-issue' || !Array.isArray(keys)) return typedSentences(error);
  return [
    `I can't find ${someOf(keys.map(String))}, or you don't have access to ${keys.length === 1 ? 'it' : 'them'}.`,
  ];
}

/** More keys a report of a message is not meant for. */
const MAX_KEYS = 50;

/** *Time in status* on a message: that of the issues it mentions, and the way to a report of them all. */
export const timeInStatus: SlackShortcut<AskingParts> = {
  id: 'time-in-status',
  type: 'message',
  async run({ message, ...person }, parts) {
    const keys = keysInMessage(message?.text ?? '').slice(0, MAX_KEYS);
    if (message === null || keys.length === 0) {
      return [
        notice('This message mentions no issues. I look for keys such as `WEB-350`, and links to issues.'),
      ];
    }
    const shown = keys.slice(0, SIDE_BY_SIDE).join(' ');
    const invocation = { ...person, place: message.place, text: shown, words: shown.split(' ') };
    const messages = await answerTyped(shown, invocation, parts, ({ key }) => [`/tis ${key}`]);
    return keys.length === 1 ? messages : [...messages, wayToReport(keys)];
  },
};

function wayToReport(keys: readonly string[]): Message {
  const text =
    keys.length > SIDE_BY_SIDE
      ? `The message mentions ${keys.length} issues; these are the first ${SIDE_BY_SIDE}.`
      : 'All of them in one report:';
  return offer(text, button('Build a report', 'open-builder', `filter ${keys.join(', ')}`));
}

/** The link to an issue: the browser follows it, Slack only wants to be heard. */
export const openIssue: SlackAction<object> = {
  id: 'open-issue',
  run: async () => [],
};

/** Answers one slash command: acknowledged before anything else, then routed by its first word. */
export function answerCommand(
  root: string,
  parts: MessageParts & Pick<SlackParts, 'channels' | 'commands' | 'people'>,
  log: Logger,
) {
  return async ({ ack, command, client }: SlackCommandMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    await ack();
    // Those who typed at the same moment are acknowledged before anything is worked out.
    await yieldToOthers();
    // Slack takes no commands in threads.
    const place = { channel: command.channel_id, threadTs: null };
    const person = {
      principal: principalIn(parts.people.tenant, command.user_id),
      userName: command.user_name,
      place,
      async open(view: ModalView) {
        await client.views.open({ trigger_id: command.trigger_id, view: settledTexts(view) });
      },
    };
    const listener: Listener = { account: command.user_id, place, respond: respondAt(command.response_url) };
    const messages = await answerLine(root, unescapeMrkdwn(command.text).trim(), person, parts, log);
    await sendPrivately(messages, listener, parts);
  };
}

const noKeys = ['help', 'link', 'status'];

/** Answers what was typed behind a slash command, routed by its first word; a failure is an answer as well. */
export async function answerLine(
  root: string,
  line: string,
  person: Omit<SlashInvocation, 'text' | 'words'>,
  parts: Pick<SlackParts, 'channels' | 'commands'>,
  log: Logger,
): Promise<readonly Message[]> {
  const [first = ''] = /^\S+/.exec(line) ?? [];
  const own = parts.commands.filter((command) => command.root === root);
  // `status of WEB-350` asks about the issue.
  const isProse = noKeys.includes(first.toLowerCase()) && keysInMessage(line).length > 0;
  const named = own.find(({ word }) => !isProse && word !== null && word === first.toLowerCase());
  const chosen = named ?? own.find(({ word }) => word === null);
  if (chosen === undefined) throw new Error(`Nothing answers ${root}`);
  const text = chosen.word === null ? line : line.slice(first.length).trim();
  const invocation: SlashInvocation = {
    ...person,
    text,
    words: text.split(/\s+/).filter((word) => word !== ''),
  };
  return withZoneNote(person.place, person.principal.account, parts, () => chosen.answer(invocation)).catch(
    (error: unknown) => [failureMessage(error, { command: root }, log)],
  );
}

/** The line of another command that a sentence means: who covers, who is away, what can be asked, which hours count; null for a question about issues. */
export async function otherLine(
  text: string,
  { people, now, timeZone }: Pick<ReadingParts, 'people' | 'now' | 'timeZone'>,
): Promise<string | null> {
  if (asksHelp(text)) return '/tis help';
  if (asksHours(text)) return '/tis status';
  const users = await people.users();
  if (!isAboutCover(text, { users })) return null;
  const read = coverLine(text, { users, today: dayAt(now(), timeZone) });
  if (read === null) return null;
  // About cover of a person what is not understood is said there, and nothing of issues is offered.
  if (read.leftover.length > 0) return read.people.length > 0 ? `/delegates ${text}` : null;
  return read.line;
}

/** More choices are hard. */
const MAX_LINES = 3;

/**
 * Lines after `/tis` near a question that was refused, each of them read before it is offered: with the word that was likely
 * meant, without the words that are not known, or about each project where one is missing. A line that begins with one of
 * `commands` works as well. `labels` are the words of their buttons, where they have any.
 */
export async function nearestLines(
  typed: string,
  error: AppError,
  account: string,
  place: Pick<Place, 'channel' | 'inView'>,
  parts: ReadingParts,
  commands: readonly CommandLine[] = [],
): Promise<{ readonly lines: readonly string[]; readonly labels: readonly string[] }> {
  const { reason, data } = error;
  if (reason === 'missing-value' && data.kind === 'project') {
    const context = await parserContextOf(account, place, parts);
    const lines: string[] = [];
    const labels: string[] = [];
    for (const project of (await context.valuesOf('project')).slice(0, MAX_LINES)) {
      const line = await lineAbout(project, typeof data.line === 'string' ? data.line : typed, context);
      if (line === null) continue;
      lines.push(line);
      labels.push(project);
    }
    return { lines, labels };
  }
  const near = [...correctedLines(typed, data), ...(typeof data.line === 'string' ? [data.line] : [])];
  const isCommand = (line: string) =>
    commands.some(({ root, word }) => root === '/tis' && word !== null && word === line.split(' ')[0]);
  const lines: string[] = [];
  for (const line of new Set(near)) {
    if (line === typed.trim()) continue;
    if (isCommand(line) || (await questionProblem(line, account, place, parts)) === null) lines.push(line);
  }
  return { lines: lines.slice(0, MAX_LINES), labels: [] };
}
