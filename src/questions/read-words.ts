import { badRequest } from '../model/error.ts';
import { questionKinds } from './index.ts';
import { issueQuestion } from './issue/issue-kind.ts';
import type { ParserContext, QuestionReader, ReadWords } from './parse/parser-context.ts';
import { readIssueKeys, wordsOf } from './parse/typed-words.ts';
import { readReport } from './report/read-report.ts';

/** Readers by the word that stands before a question; whatever begins otherwise is a filter, as is what begins with its kind. */
const readers: ReadonlyMap<string, QuestionReader> = new Map(
  questionKinds.flatMap(({ commands, read }) =>
    read === undefined || read === readReport ? [] : commands.map(({ word }) => [word, read] as const),
  ),
);

/** Reads any question as it would stand after `/tis`. What is wrong is a `bad-request`. */
export async function readWords(typed: string, context: ParserContext): Promise<ReadWords> {
  const words = wordsOf(typed);
  const [first, ...others] = words;
  if (first === undefined) throw badRequest('Which report? Try: anything that works after /tis.');
  const reader = readers.get(first.plain.toLowerCase());
  const read = (await reader?.(others, context)) ?? null;
  if (read !== null) return read;
  const { keys, others: noKeys } = readIssueKeys(words.map(({ plain }) => plain));
  const [key, ...more] = keys;
  if (key !== undefined && more.length === 0 && noKeys.length === 0) {
    return { question: issueQuestion(key, context.hours), remark: null };
  }
  return readReport(words, context);
}
