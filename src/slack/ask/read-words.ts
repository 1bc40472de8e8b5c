import { AppError, badRequest } from '../../model/error.ts';
import { questionViews } from '../answers/index.ts';
import { readIssues } from '../answers/issue/issues-view.ts';
import { readIssue } from '../answers/issue/read-issue.ts';
import { readReport } from '../answers/report/read-report.ts';
import { orElse } from '../app/show-failure.ts';
import { lineText } from '../blocks/mrkdwn.ts';
import type { ParserContext, QuestionReader, ReadWords } from './grammar/parser-context.ts';
import { wordsOf } from './grammar/typed-words.ts';
import {
  type Interpretation,
  interpret,
  overlooks,
  readAs,
  unusedWordsError,
  withLine,
  withoutOpposite,
} from './plain/interpret.ts';
import { sentenceLine } from './plain/kind-sentences.ts';

/** Readers by the first word of a question; a question with another first word is a filter. */
const readers: ReadonlyMap<string, QuestionReader> = new Map(
  questionViews.flatMap(({ commands, read }) =>
    read === undefined || read === readReport ? [] : commands.map(({ word }) => [word, read] as const),
  ),
);

/**
 * Reads any question as it is typed after `/tis`: by the grammar, else by the grammar with the names of times at its end,
 * else in plain words. What is wrong is a `bad-request`.
 */
export async function readWords(typed: string, context: ParserContext): Promise<ReadWords> {
  // At the end of a query or of a project no bare word belongs to a name.
  const [first = ''] = typed.trim().toLowerCase().split(/\s+/);
  const isLoose = ![
    'sprint',
    'filter',
    'assignee',
    'aging',
    'flow',
    'standup',
    'weekly',
    'mine',
    'compare',
    'forecast',
  ].includes(first);
  const attempt = (text: string, isLoose: boolean) =>
    orElse(readLine(text, { ...context, isLoose }), (error) => error, 'bad-request');
  const byGrammar = await attempt(typed, isLoose);
  if (!(byGrammar instanceof AppError)) return byGrammar;
  const loosely = await attempt(typed, true);
  if (!(loosely instanceof AppError)) return loosely;
  // Part of the name of a sprint is asked back.
  if (byGrammar.data.kind === 'sprint' && (byGrammar.data.meant ?? []).length > 0) throw byGrammar;
  // A forecast that is wrong is refused as one: in plain words it would be another question.
  if (first === 'forecast') throw byGrammar;
  const line = sentenceLine(typed);
  if (line !== null) {
    const read = await attempt(line, true);
    if (read instanceof AppError) throw withLine(read, line);
    return { ...read, plain: { line, readAs: `I read this as ${lineText(`/tis ${line}`)}.` } };
  }
  const plain = await interpretAs(first, typed, context);
  if (plain === null) throw byGrammar;
  const read = await attempt(plain.line, true);
  if (read instanceof AppError) {
    // If every word is understood, the problem is in the line they make.
    throw plain.leftover.length === 0 ? withLine(read, plain.line) : byGrammar;
  }
  if (overlooks(byGrammar, plain)) throw withoutOpposite(byGrammar, plain);
  if (plain.leftover.length > 0) throw unusedWordsError(byGrammar, plain);
  return { ...read, plain: { line: plain.line, readAs: readAs(plain) } };
}

/** Kinds that plain words have no word for: their issues are read as those of ages. */
const likeAging: ReadonlySet<string> = new Set(['standup', 'flow']);

/** Interprets a question in plain words; null where it cannot be, or would be of another kind than its first word says. */
async function interpretAs(
  first: string,
  typed: string,
  context: ParserContext,
): Promise<Interpretation | null> {
  if (!likeAging.has(first)) return interpret(typed, context);
  const plain = await interpret(typed.replace(/^\s*\S+/, 'aging'), context);
  if (plain === null || plain.leftover.length > 0 || !/^aging\b/.test(plain.line)) return null;
  return { ...plain, line: plain.line.replace(/^aging/, first) };
}

async function readLine(typed: string, context: ParserContext): Promise<ReadWords> {
  const words = wordsOf(typed);
  const [first, ...others] = words;
  if (first === undefined) throw badRequest('Which report? Try: anything that works after /tis.');
  const reader = readers.get(first.plain.toLowerCase());
  // Words of commands begin a line only.
  const read = (await reader?.(others, { ...context, words: [] })) ?? null;
  if (read !== null) return read;
  const ofIssues = (await readIssue(words, context)) ?? (await readIssues(words, context));
  return ofIssues ?? readReport(words, context);
}
