import { badRequestAs } from '../../model/error.ts';
import { wordsOf } from '../exports/typed-words.ts';
import { readIssueKeys } from '../issue-keys.ts';
import type { Asking, QuestionReader, ReadWords } from './asking.ts';
import { issueQuestion } from './issue-question.ts';
import { readAging } from './read-aging.ts';
import { readCompare } from './read-compare.ts';
import { readMine } from './read-mine.ts';
import { readReport } from './read-report.ts';
import { readSaved } from './read-saved.ts';
import { readWeekly } from './read-weekly.ts';

/** Kinds of questions by the word that stands before them; whatever begins otherwise is a filter. */
const readers: ReadonlyMap<string, QuestionReader> = new Map([
  ['weekly', readWeekly],
  ['aging', readAging],
  ['mine', readMine],
  ['compare', readCompare],
  ['saved', readSaved],
]);

/** Reads any question as it would stand behind `/tis`. What is wrong is a `bad-request`. */
export async function readWords(typed: string, asking: Asking): Promise<ReadWords> {
  const words = wordsOf(typed);
  const [first, ...others] = words;
  if (first === undefined)
    throw badRequestAs('missing-value', 'What is to be told? Allowed: what stands behind /tis.');
  const reader = readers.get(first.plain.toLowerCase());
  if (reader !== undefined) return reader(others, asking);
  const { keys, others: noKeys } = readIssueKeys(words.map(({ plain }) => plain));
  const [key, ...more] = keys;
  if (key !== undefined && more.length === 0 && noKeys.length === 0) {
    return { question: issueQuestion(key, asking.hours), remark: null };
  }
  return readReport(words, asking);
}
