import { tellIssue } from '../../api/tell-issue.ts';
import { AppError } from '../../model/error.ts';
import type { Asked, SlackParts, SlashCommand } from '../command.ts';
import { readIssueKeys } from '../issue-keys.ts';
import type { Message } from '../message.ts';
import { codeText } from '../messages/code-text.ts';
import { issueMessage } from '../messages/issue-message.ts';
import { notice } from '../messages/notice.ts';

/** A response URL works five times; one message per issue, and one is kept for what could not be told. */
const MOST_KEYS = 4;

/** `/tis KEY [KEY…]`: one table per issue. */
export const tisIssue: SlashCommand = {
  root: '/tis',
  word: null,
  usage: '/tis KEY [KEY…]',
  summary: `the time an issue spent in each status, up to ${MOST_KEYS} issues at once`,
  async answer({ words, asker }, parts) {
    const { keys, others } = readIssueKeys(words);
    const example = await exampleText({ asker }, parts);
    if (keys.length === 0) return [notice(...explain(others), example)];
    const told = await Promise.all(keys.slice(0, MOST_KEYS).map((key) => tell(key, asker, parts)));
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
    const messages = told.flatMap((one): Message[] => (typeof one === 'string' ? [] : [one]));
    return remarks.length === 0
      ? messages
      : [...messages, notice(...remarks, ...(missing.length + others.length > 0 ? [example] : []))];
  },
};

/** The issue's message, or its key when the asker cannot see such an issue. */
async function tell(
  key: string,
  asker: Asked['asker'],
  { reporting }: SlackParts,
): Promise<Message | string> {
  try {
    return issueMessage(await tellIssue(reporting, asker, key));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return key;
    throw error;
  }
}

function explain(others: readonly string[]): string[] {
  return others.length === 0
    ? ['Which issue? Type its key behind the command.']
    : [`${quoted(others)} ${others.length === 1 ? 'is no issue key' : 'are no issue keys'}.`];
}

/** Nobody needs a long paste repeated. */
function quoted(words: readonly string[]): string {
  return (
    words.slice(0, 5).map(codeText).join(', ') + (words.length > 5 ? ` and ${words.length - 5} more` : '')
  );
}

async function exampleText({ asker }: Pick<Asked, 'asker'>, { reporting }: SlackParts): Promise<string> {
  const [key] = await reporting.exampleKeys(asker, 1);
  return key === undefined
    ? 'There are no issues here yet: import some with `npm run dwell -- import FILE`.'
    : `Try \`/tis ${key}\`, or \`/tis help\`.`;
}
