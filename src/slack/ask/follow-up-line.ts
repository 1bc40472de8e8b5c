import type { AppError } from '../../model/error.ts';
import { questionViews } from '../answers/index.ts';
import type { CommandLine, Place } from '../app/handler-types.ts';
import type { ReadingParts } from '../app/parts.ts';
import { orElse } from '../app/show-failure.ts';
import { correctedLines } from './grammar/names-meant.ts';
import { lastTail, type Tails, tailKinds } from './grammar/parse-options.ts';
import type { ParserContext } from './grammar/parser-context.ts';
import { keysInMessage, MAX_WORDS, sourceOf, wordsOf } from './grammar/typed-words.ts';
import { parserContextOf } from './parser-context-of.ts';
import { plainWords } from './plain/small-talk.ts';
import { questionProblem } from './read-question.ts';
import { readWords } from './read-words.ts';

const sameThing: readonly (readonly (keyof Tails)[])[] = [['unit'], ['calendar'], ['reportType', 'groupBy']];

/**
 * The line of the last question with another unit, calendar or grouping (`in hours`, `in Berlin hours`, `by assignee`), or
 * about another project (`and APP?`); null where the words are neither.
 */
export async function followUpLine(
  text: string,
  line: string,
  contextOf: () => Promise<ParserContext>,
): Promise<string | null> {
  const typed = plainWords(text);
  const end = typed.replace(/^and /i, '');
  if (/^(?:in|by) /i.test(end)) return lineWithEnd(end, line, await contextOf());
  const [, name] = /^(?:and|(?:what|how) about)(?: (?:for|in|of))? (.+)$/i.exec(typed) ?? [];
  return name === undefined ? null : lineAbout(name, line, await contextOf());
}

async function lineWithEnd(end: string, line: string, context: ParserContext): Promise<string | null> {
  const words = wordsOf(end);
  const wanted = await lastTail(words, sameThing.flat(), context);
  if (wanted === null || wanted.start > 0) {
    // A few words may name hours or a field that are not there: reading them says so.
    return words.length > MAX_WORDS || keysInMessage(end).length > 0 ? null : `${line} ${end}`;
  }
  const replaced = sameThing.filter((kinds) => kinds.some((kind) => kind in wanted.tail)).flat();
  let rest = wordsOf(line);
  let others = '';
  for (;;) {
    const taken = await lastTail(rest, tailKinds, context);
    if (taken === null || taken.start === 0) break;
    if (!replaced.some((kind) => kind in taken.tail))
      others = `${sourceOf(rest.slice(taken.start))} ${others}`;
    rest = rest.slice(0, taken.start);
  }
  return `${sourceOf(rest)} ${others}${sourceOf(words)}`.trim();
}

/** The line about a project; null where the name is none of a project, or the line cannot be about one. */
export async function lineAbout(name: string, line: string, context: ParserContext): Promise<string | null> {
  const { isProject } = context;
  if (!(await isProject(name))) return null;
  const words = wordsOf(line);
  const are = await Promise.all(words.map(({ plain }) => isProject(plain)));
  const at = are.indexOf(true);
  // Without a project it was about the usual ones; the name goes behind the word for the question, if there is one.
  const isWord = (word: string) =>
    questionViews.some(({ commands }) => commands.some((one) => one.word === word));
  const start = at < 0 && isWord(words[0]?.plain.toLowerCase() ?? '') ? 1 : Math.max(0, at);
  const rest = words.slice(at < 0 ? start : at + 1);
  const about = [sourceOf(words.slice(0, start)), name, sourceOf(rest)].join(' ').trim();
  return orElse(
    readWords(about, context).then(() => about),
    () => null,
    'bad-request',
  );
}

/** More choices are hard. */
const MAX_LINES = 3;

/** Lines that work and are nearest to one that was refused; `labels` are the words of their buttons, where they have any. */
interface NearestLines {
  readonly lines: readonly string[];
  readonly labels: readonly string[];
}

/**
 * Lines after `/tis` near a question that was refused, each of them read before it is offered: with the word that was likely
 * meant, without the words that are not known, or about each project where one is missing. A line that begins with one of
 * `commands` works as well.
 */
export async function nearestLines(
  typed: string,
  error: AppError,
  account: string,
  place: Pick<Place, 'channel' | 'inView'>,
  parts: ReadingParts,
  commands: readonly CommandLine[] = [],
): Promise<NearestLines> {
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
