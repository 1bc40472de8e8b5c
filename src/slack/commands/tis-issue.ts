import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import { issueQuestion } from '../../questions/issue/issue-kind.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import { readIssueKeys, type TypedKeys } from '../../questions/parse/typed-words.ts';
import { tellAnswer } from '../answers/tell-answer.ts';
import { openBuilder } from '../builder/open-builder.ts';
import type { Asked, SlashCommand } from '../command.ts';
import { hoursHere } from '../hours-here.ts';
import { notice } from '../messages/notice.ts';
import type { AskingParts, QuestionParts, ReadingParts, SlackParts, ViewParts } from '../parts.ts';
import { isQuestion } from '../questions/read-question.ts';
import { tellTyped } from '../questions/tell-typed.ts';
import { type Example, tryThese } from '../questions/try-these.ts';

/** A response URL works five times; one message per issue, and one is kept for what could not be told. */
const MOST_KEYS = 4;

/** `/tis KEY [KEY…]`: one answer per issue; whatever else stands there is a filter, and nothing opens the builder. */
export const tisIssue: SlashCommand<AskingParts & ViewParts> = {
  root: '/tis',
  word: null,
  usage: '/tis KEY [KEY…]',
  summary: `the time an issue spent in each status, up to ${MOST_KEYS} issues at once; alone it opens the report builder`,
  examples: ['/tis WEB-350', '/tis WEB-350 APP-12'],
  details: 'A pasted link to an issue is as good as its key.',
  async answer(asked, parts) {
    if (asked.text === '') {
      const who = { account: asked.principal.account, place: asked.place };
      return openBuilder({ by: 'usual' }, who, asked.open, parts);
    }
    const { keys, others } = readIssueKeys(asked.words);
    const { text, principal, place } = asked;
    // Keys with something behind them may make a report of them.
    const isFilter =
      keys.length === 0 || (others.length > 0 && (await isQuestion(text, principal.account, place, parts)));
    return isFilter
      ? tellTyped(asked.text, asked, parts, examples)
      : tellIssues({ keys, others }, asked, parts);
  },
};

const examples = ({ key, project }: Example) => [`/tis ${key}`, `/tis ${project} last 30 days by assignee`];

function advice(asked: Asked, parts: ReadingParts & Pick<SlackParts, 'sync'>): Promise<string> {
  return tryThese(asked, examples, parts);
}

async function tellIssues(
  { keys, others }: TypedKeys,
  asked: Asked,
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
    return await tellAnswer(issueQuestion(key, hours), account, parts);
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
