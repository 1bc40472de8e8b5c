import { checkBlocks } from '../../block-kit/check-blocks.ts';
import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import { issueQuestion } from '../../questions/issue/issue-kind.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import { readIssueKeys, type TypedKeys } from '../../questions/parse/typed-words.ts';
import { answerLine } from '../app/answer-command.ts';
import type { SlackAction, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { hoursHere } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { AskingParts, QuestionParts, ReadingParts, SlackParts } from '../app/parts.ts';
import { refusal, typedSentences } from '../app/show-failure.ts';
import { type Example, examplesFor } from './help.ts';
import { lastAnswerIn } from './last-answer.ts';
import { isQuestion, readQuestion } from './read-question.ts';
import { showAnswer } from './show-answer.ts';

/** A response URL works five times; one message per issue, and one is kept for what could not be told. */
const MOST_KEYS = 4;

/** `/tis KEY [KEY…]`: one answer per issue; whatever else stands there is a filter. */
export const tisIssue: SlashCommand<AskingParts> = {
  root: '/tis',
  word: null,
  usage: '/tis KEY [KEY…]',
  summary: `the time an issue spent in each status, up to ${MOST_KEYS} issues at once; alone it opens the report builder`,
  examples: ['/tis WEB-350', '/tis WEB-350 APP-12'],
  details: 'A pasted link to an issue is as good as its key.',
  async answer(asked, parts) {
    const { keys, others } = readIssueKeys(asked.words);
    const { text, principal, place } = asked;
    // Keys with something behind them may make a report of them.
    const isFilter =
      keys.length === 0 || (others.length > 0 && (await isQuestion(text, principal.account, place, parts)));
    return isFilter
      ? answerTyped(asked.text, asked, parts, examples)
      : answerIssues({ keys, others }, asked, parts);
  },
};

/** A button or a menu's option that runs the line it carries, such as `/tis weekly WEB`. */
export const runLine: SlackAction<Pick<SlackParts, 'commands' | 'lastAnswers' | 'log'>> = {
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

function advice(asked: SlashInvocation, parts: ReadingParts & Pick<SlackParts, 'sync'>): Promise<string> {
  return examplesFor(asked, examples, parts);
}

async function answerIssues(
  { keys, others }: TypedKeys,
  asked: SlashInvocation,
  parts: AskingParts,
): Promise<readonly Message[]> {
  const account = asked.principal.account;
  const hours = await hoursHere(asked.place, account, parts);
  const told = await Promise.all(keys.slice(0, MOST_KEYS).map((key) => tell(key, account, hours, parts)));
  const missing = told.flatMap((one) => (typeof one === 'string' ? [one] : []));
  const remarks = [
    ...(missing.length > 0 ? [`I know no issue ${quoted(missing)}.`] : []),
    ...(others.length > 0
      ? [`${quoted(others)} ${others.length === 1 ? 'is no issue key' : 'are no issue keys'}.`]
      : []),
    ...(keys.length > MOST_KEYS
      ? [`I tell ${MOST_KEYS} issues at once; ask again for ${quoted(keys.slice(MOST_KEYS))}.`]
      : []),
  ];
  const messages = told.flatMap((one) => (typeof one === 'string' ? [] : one));
  return remarks.length === 0
    ? messages
    : [
        ...messages,
        notice(...remarks, ...(missing.length + others.length > 0 ? [await advice(asked, parts)] : [])),
      ];
}

/** The issue's messages, or its key when the principal cannot see such an issue. */
async function tell(
  key: string,
  account: string,
  hours: Hours,
  parts: QuestionParts,
): Promise<readonly Message[] | string> {
  try {
    return await showAnswer(issueQuestion(key, hours), account, parts);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return key;
    throw error;
  }
}

/** Nobody needs a long paste repeated. */
function quoted(words: readonly string[]): string {
  return (
    words.slice(0, 5).map(codeText).join(', ') + (words.length > 5 ? ` and ${words.length - 5} more` : '')
  );
}

/** Answers a question as it was typed behind `/tis`; what is wrong with it is told with lines that work here. */
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
    return remark === null ? messages : remarked(messages, remark);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'bad-request' && error.code !== 'not-found'))
      throw error;
    return [refusal(typedSentences(error), await examplesFor(asked, lines, parts))];
  }
}

/** Below the last message; on its own where that has no room left. */
function remarked(messages: readonly Message[], remark: string): readonly Message[] {
  const last = messages.at(-1);
  const blocks = [...(last?.blocks ?? []), context(remark)];
  return last === undefined || checkBlocks(blocks, 'message').length > 0
    ? [...messages, notice(remark)]
    : [...messages.slice(0, -1), { text: `${last.text}\n${remark}`, blocks }];
}
