import type { AnswersApi } from '../../api/answers/answers-api.ts';
import { askedOnce, dependsOnPrincipal, kindOf } from '../../api/answers/index.ts';
import type { Answer, Part } from '../../model/answer.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Question, Run } from '../../model/question.ts';
import type { Principal } from '../../model/request.ts';
import { countWords } from '../../output/figure-words.ts';
import { chartMessage, privateDetails, privateMessage } from '../answers/answer-view.ts';
import { questionViews } from '../answers/index.ts';
import { readReport } from '../answers/report/read-report.ts';
import type { Place, SlackAction } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { QuestionParts, ReadingParts } from '../app/parts.ts';
import { orElse, typedSentences } from '../app/show-failure.ts';
import type { Message } from '../blocks/message.ts';
import { lineText, section } from '../blocks/mrkdwn.ts';
import { resolvePrincipal } from '../people/accounts.ts';
import type { ParserContext, QuestionReader, ReadWords } from './grammar/parser-context.ts';
import { wordsOf } from './grammar/typed-words.ts';
import { parserContextOf } from './parser-context-of.ts';
import {
  type Interpretation,
  interpret,
  overlooks,
  readAs,
  unusedWordsError,
  withLine,
  withoutOpposite,
} from './plain/interpret.ts';
import { sentenceLine } from './plain/whole-sentences.ts';

/**
 * Reads any question as it is typed after `/tis` (`weekly WEB`, `APP last 30 days by assignee`), for an account in a
 * place, with the rights of that account. What is wrong is a `bad-request` that names the word and what is allowed.
 */
export async function readQuestion(
  typed: string,
  account: string,
  place: Pick<Place, 'channel' | 'inView'>,
  parts: ReadingParts,
): Promise<ReadWords> {
  return readWords(typed, await parserContextOf(account, place, parts));
}

/** Why words are no question; null where they are one, though it may be of what the person cannot see. */
export async function questionProblem(
  typed: string,
  account: string,
  place: Pick<Place, 'channel' | 'inView'>,
  parts: ReadingParts,
): Promise<AppError | null> {
  const read = readQuestion(typed, account, place, parts).then(() => null);
  return orElse(read, (error) => (error.code === 'bad-request' ? error : null));
}

/** The first issues of a list, as many as are shown at once. */
export const firstPart: Part = { start: 0, size: 10 };

/** Answers a question to an account alone, and keeps it, so that its buttons can come back to it. */
export async function showAnswer(
  question: Question,
  account: string,
  { channel }: Pick<Place, 'channel'>,
  parts: QuestionParts,
): Promise<readonly Message[]> {
  const principal = await resolvePrincipal(account, parts);
  const answer = await parts.answers.answer(principal, question, null, firstPart);
  const run = await storeAnswer(account, answer, parts.answers);
  const display = { run, part: firstPart, isDirect: isDirect(channel) };
  return [await privateMessage(answer, display, parts)];
}

/** Stores what an answer answered. */
export function storeAnswer(account: string, answer: Answer, { storeRun }: AnswersApi): Promise<Run> {
  return storeRun(account, askedOnce(answer));
}

/**
 * Asks again what was asked once: as of the same instant, and with the rights of the account that asks now. What they may
 * not see is `not-found`, as what is not there any more; so is what would show them other issues, as its filter asks who
 * asks.
 */
export async function askAgain(
  id: string,
  account: string,
  { answers, ...parts }: QuestionParts,
  part: Part = firstPart,
): Promise<{ readonly run: Run; readonly principal: Principal; readonly answer: Answer }> {
  const run = await answers.run(id);
  const principal = await resolvePrincipal(account, parts);
  const refuse = (error: AppError): never => {
    const why = typedSentences(error);
    const details = error.code === 'not-found' && error.details.length > 0 ? [error.message, ...why] : why;
    throw new AppError(
      'unknown-answer',
      "You can't see this, or it no longer exists.",
      // The reasons name what was asked for, which others may not know of.
      run.account === account ? details : [],
      { cause: error },
    );
  };
  const answered = answers.answer(principal, run.question, run.asOf, part);
  const answer = await orElse(answered, refuse, 'bad-request', 'not-found');
  // The saved filter may be changed at any time, so it cannot say who asked.
  if (run.account !== account && dependsOnPrincipal(answer)) {
    throw new AppError('unknown-answer', 'Only the person who asked can see this answer.', [
      'Its filter has currentUser(), so it would show you other issues. Ask the question yourself.',
    ]);
  }
  return { run, principal, answer };
}

/**
 * *Next* and *Previous* under a list; its value is the run's id, the index of the first issue, and how many issues the
 * list of the button has. A private list becomes its other part; of a list that others read as well, the
 * other part is shown to the person who clicked alone: from the first issue on where they may see fewer or more.
 */
export const turnPage: SlackAction<QuestionParts> = {
  id: 'turn-page',
  async run({ value, principal: { account }, place, replace }, parts) {
    const [id = '', start = '', shown = ''] = value.split(' ');
    const replayOf = async (part: Part) => ({ ...(await askAgain(id, account, parts, part)), part });
    let { run, answer, part } = await replayOf({ ...firstPart, start: Number(start) });
    const total = kindOf(answer.question).listLength?.(answer.value) ?? 0;
    // Buttons of older messages do not hold the length of the list.
    const differs = shown !== '' && Number(shown) !== total;
    const begin = differs && replace === null ? 0 : Math.min(part.start, lastStart(total, part.size));
    if (begin !== part.start) ({ run, answer, part } = await replayOf({ ...part, start: begin }));
    const display = { run, part, isDirect: isDirect(place.channel) };
    const message = await privateMessage(answer, display, parts);
    if (replace === null) return [differs ? led(lengthText(total, Number(shown)), message) : message];
    await replace(message);
    return [];
  },
};

/** *Details* under an answer, which only the person who clicked sees; its value is the run's id. */
export const answerDetails: SlackAction<QuestionParts> = {
  id: 'answer-details',
  async run({ value, principal: { account } }, parts) {
    const { run, answer } = await askAgain(value, account, parts);
    return privateDetails(answer, { run, part: firstPart }, parts);
  },
};

/** A picture of an answer, which only the person who clicked sees; its value is the run's id and which picture. */
export const answerChart: SlackAction<QuestionParts> = {
  id: 'answer-chart',
  async run({ value, principal: { account } }, parts) {
    const [id = '', which = ''] = value.split(' ');
    const { answer } = await askAgain(id, account, parts);
    return [
      chartMessage(answer, which) ?? notice('There is nothing to draw among the issues that you can see.'),
    ];
  },
};

function lastStart(total: number, size: number): number {
  return Math.max(0, Math.ceil(total / size) - 1) * size;
}

function lengthText(total: number, shown: number): string {
  return total < shown
    ? `You can see ${countWords(total)} of the ${countWords(shown)} issues, so here is your list from the start.`
    : `You can see ${countWords(total)} issues, not only ${countWords(shown)}, so here is your list from the start.`;
}

function led(lead: string, { text, blocks }: Message): Message {
  return { text: `${lead} ${text}`, blocks: [section(lead), ...blocks] };
}

/** Readers by the first word of a question. */
const readers: ReadonlyMap<string, QuestionReader> = new Map(
  questionViews.flatMap(({ commands, read }) =>
    read === readReport ? [] : commands.map(({ word }) => [word, read] as const),
  ),
);
/** Readers of questions about the keys of issues, which begin with no word; anything else is a filter. */
const keyReaders = questionViews.flatMap(({ commands, read }) => (commands.length === 0 ? [read] : []));

/**
 * Reads any question as it is typed after `/tis`: by the grammar, else by the grammar with the names of times at its end,
 * else in plain words. What is wrong is a `bad-request`.
 */
export async function readWords(typed: string, context: ParserContext): Promise<ReadWords> {
  // At the end of a query or of a project no bare word belongs to a name.
  const [first = ''] = typed.trim().toLowerCase().split(/\s+/);
  const isLoose = !readers.has(first) && first !== 'filter' && first !== 'assignee';
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
  for (const readKeys of keyReaders) {
    const ofIssues = await readKeys(words, context);
    if (ofIssues !== null) return ofIssues;
  }
  return readReport(words, context);
}
