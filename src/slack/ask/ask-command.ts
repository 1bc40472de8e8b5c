import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { someOf } from '../../block-kit/some-of.ts';
import { AppError } from '../../model/error.ts';
import { readIssueKeys } from '../../questions/parse/typed-words.ts';
import { answerLine } from '../app/answer-command.ts';
import type { SlackAction, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { withFootnote } from '../app/message-texts.ts';
import type { AskingParts, SlackParts } from '../app/parts.ts';
import { refusal, typedSentences } from '../app/show-failure.ts';
import { type Example, examplesFor } from './help.ts';
import { lastAnswerIn } from './last-answer.ts';
import { isQuestion, readQuestion } from './read-question.ts';
import { showAnswer } from './show-answer.ts';

/** `/tis KEY [KEY…]`, and whatever begins with no word of a command. */
export const tisIssue: SlashCommand<AskingParts> = {
  root: '/tis',
  word: null,
  usage: '/tis KEY [KEY…]',
  summary: 'Time in status of an issue, or of several side by side',
  examples: ['/tis WEB-350', '/tis WEB-350 APP-12', '/tis WEB-350 by assignee', '/tis WEB-350 in hours'],
  details: 'A pasted link works like a key. Without anything after it, `/tis` opens the report builder.',
  async answer(asked, parts) {
    const { keys, others } = readIssueKeys(asked.words);
    const { text, principal, place } = asked;
    // Keys among other words are still what was asked about.
    if (keys.length === 0 || others.length === 0 || (await isQuestion(text, principal.account, place, parts)))
      return answerTyped(text, asked, parts, examples);
    const messages = await answerTyped(keys.join(' '), asked, parts, examples);
    const what = keys.length === 1 ? `${codeText(keys[0] ?? '')}, the issue` : 'the issues';
    return withFootnote(messages, `Showing ${what} in your text.`);
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
  asked: SlashInvocation,
  parts: AskingParts,
  lines: (example: Example) => readonly string[],
): Promise<readonly Message[]> {
  const account = asked.principal.account;
  try {
    const { question, remark } = await readQuestion(typed, account, asked.place, parts);
    const messages = await showAnswer(question, account, parts);
    return remark === null ? messages : withFootnote(messages, remark);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'bad-request' && error.code !== 'not-found'))
      throw error;
    return [refusal(sentencesFor(error), await examplesFor(asked, lines, parts))];
  }
}

/** Whether an issue is missing or hidden is not for everyone to know. */
function sentencesFor(error: AppError): readonly string[] {
  const { keys } = error.data;
  if (error.reason !== 'unknown-issue' || !Array.isArray(keys)) return typedSentences(error);
  return [
    `I can't find ${someOf(keys.map(String))}, or you don't have access to ${keys.length === 1 ? 'it' : 'them'}.`,
  ];
}
