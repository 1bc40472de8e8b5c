import { memo } from '../../../cache/namespace.ts';
import { wordsOf } from '../grammar/typed-words.ts';

/** A word of a sentence, or a text in quotes. */
export interface Token {
  /** As it was typed, without quotes and the marks around it. */
  readonly source: string;
  /** For comparing: in lower case, without apostrophes. */
  readonly plain: string;
  readonly isQuoted: boolean;
}

/** Longer texts are no question. */
export const MAX_TOKENS = 40;

/** The words of a sentence: a text in quotes is one of them, and so is a slash or a dash between two. */
export function tokensOf(text: string): readonly Token[] {
  const typed = wordsOf(text.replace(greeting, ''))
    .map(({ plain }) => plain)
    .join(' ');
  const pieces = typed.matchAll(
    /"([^"]+)"|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])|<[@!#][^<>]*>|[^\s"]+/gu,
  );
  return [...pieces].flatMap(([piece, double, single]) => {
    const quoted = double ?? single;
    const short = abbreviations.get(piece.toLowerCase().replace(/(?<![.,;:?!])[.,;:?!]+$/, ''));
    if (quoted === undefined && short !== undefined) return [tokenOf(short, false)];
    if (quoted !== undefined) return [tokenOf(quoted.trim(), true)];
    if (piece.startsWith('<')) return [tokenOf(piece, false)];
    return parted(piece).flatMap((one) => {
      const source = one
        .replace(/^[([{*_`]+/, '')
        .replace(/(?<![)\]}*_`,;:?!])[)\]}*_`,;:?!]+$/, '')
        .replace(/(?<![\d.])\.+$/, '');
      return source === '' ? [] : [tokenOf(source, false)];
    });
  });
}

const greeting = /^\s*(?:good (?:morning|afternoon|evening)\b|morning(?=[,!.]))/i;

const abbreviations: ReadonlyMap<string, string> = new Map([
  ['w/o', 'without'],
  ['wk', 'week'],
  ['wks', 'weeks'],
  ['mth', 'month'],
  ['mths', 'months'],
  ['qtr', 'quarter'],
  ['yr', 'year'],
  ['yrs', 'years'],
]);

/** `WEB/APP` and `high-prio` are two words; a date or a link is one. */
function parted(piece: string): readonly string[] {
  if (/^\p{L}[\p{L}\p{N}_]*(?:\/\p{L}[\p{L}\p{N}_]*)+$/u.test(piece)) return piece.split('/');
  return piece.split(/(?<=\p{L})(?:,(?=\p{L})|-(?=prio))/iu);
}

function tokenOf(source: string, isQuoted: boolean): Token {
  return { source, plain: source.toLowerCase().replaceAll("'", ''), isQuoted };
}

/** A name as it is compared: in lower case, without the marks and blanks in it. */
export function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_'"’-]+/g, '');
}

/** Names by how they are compared, the first of several that are alike; made once for a list. */
export const foldedNames = memo(
  (names: readonly string[]): ReadonlyMap<string, string> =>
    new Map(names.toReversed().map((name) => [folded(name), name])),
);

/** The words that a word may be the plural of, and itself: `stories` is `story`, `bugs` is `bug`. */
export function singulars(folded: string): readonly string[] {
  return [
    folded,
    ...(folded.endsWith('ies') ? [`${folded.slice(0, -3)}y`] : []),
    ...(folded.endsWith('es') ? [folded.slice(0, -2)] : []),
    ...(folded.endsWith('s') ? [folded.slice(0, -1)] : []),
  ];
}

/** Some words in a row, with the two words before them and the one after them; the end is not included. */
export interface Span {
  readonly words: readonly Token[];
  readonly start: number;
  readonly end: number;
  readonly earlier: string;
  readonly before: string;
  readonly after: string;
}

/** Words in a row of which none is taken, the longest first. */
export function* freeSpans(
  tokens: readonly Token[],
  taken: readonly boolean[],
  longest: number,
): Generator<Span> {
  const plain = (at: number) => tokens[at]?.plain ?? '';
  for (let length = Math.min(longest, tokens.length); length > 0; length -= 1) {
    for (let start = 0; start + length <= tokens.length; start += 1) {
      const end = start + length;
      if (taken.slice(start, end).includes(true)) continue;
      const words = tokens.slice(start, end);
      yield { words, start, end, earlier: plain(start - 2), before: plain(start - 1), after: plain(end) };
    }
  }
}

/** The name that words are, without an `@` before it and an `'s` after it. */
export function nameIn(words: readonly Token[]): string {
  return typedText(words)
    .replace(/^@/, '')
    .replace(/['’]s?$/, '');
}

/** Words as they are compared, with one blank between them. */
export function textOf(words: readonly Token[]): string {
  return words.map(({ plain }) => plain).join(' ');
}

/** Words as they were typed, with one blank between them. */
export function typedText(words: readonly Token[]): string {
  return words.map(({ source }) => source).join(' ');
}
