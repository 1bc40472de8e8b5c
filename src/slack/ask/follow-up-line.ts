import { questionViews } from '../answers/index.ts';
import { orElse } from '../app/show-failure.ts';
import { lastTail, type Tails, tailKinds } from './grammar/parse-options.ts';
import type { ParserContext } from './grammar/parser-context.ts';
import { keysInMessage, MAX_WORDS, sourceOf, wordsOf } from './grammar/typed-words.ts';
import { plainWords } from './plain/small-talk.ts';
import { readWords } from './read-words.ts';

/** Ends of a line that say the same thing in other words. */
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
  const asked = plainWords(text);
  const end = asked.replace(/^and /i, '');
  if (/^(?:in|by) /i.test(end)) return lineWithEnd(end, line, await contextOf());
  const [, name] = /^(?:and|(?:what|how) about)(?: (?:for|in|of))? (.+)$/i.exec(asked) ?? [];
  return name === undefined ? null : lineAbout(name, line, await contextOf());
}

async function lineWithEnd(asked: string, line: string, context: ParserContext): Promise<string | null> {
  const words = wordsOf(asked);
  const wanted = await lastTail(words, sameThing.flat(), context);
  if (wanted === null || wanted.start > 0) {
    // A few words may name hours or a field that are not there: reading them says so.
    return words.length > MAX_WORDS || keysInMessage(asked).length > 0 ? null : `${line} ${asked}`;
  }
  const replaced = sameThing.filter((kinds) => kinds.some((kind) => kind in wanted.tail)).flat();
  let rest = wordsOf(line);
  let kept = '';
  for (;;) {
    const taken = await lastTail(rest, tailKinds, context);
    if (taken === null || taken.start === 0) break;
    if (!replaced.some((kind) => kind in taken.tail)) kept = `${sourceOf(rest.slice(taken.start))} ${kept}`;
    rest = rest.slice(0, taken.start);
  }
  return `${sourceOf(rest)} ${kept}${sourceOf(words)}`.trim();
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
