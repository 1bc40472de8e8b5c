import { memo } from '../../../cache/namespace.ts';
import type { ParserContext } from '../grammar/parser-context.ts';
import { wordsOf } from '../grammar/typed-words.ts';
import type { Intent } from './vocabulary.ts';

/** Something that words of a sentence say of a question. `isNot`: all but that are wanted. */
export type Slot =
  | { readonly kind: 'intent'; readonly intent: Intent }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'range'; readonly words: string }
  | { readonly kind: 'statistic'; readonly words: string }
  | { readonly kind: 'group'; readonly words: string }
  | { readonly kind: 'calendar'; readonly words: string }
  | { readonly kind: 'unit'; readonly words: string }
  | { readonly kind: 'project'; readonly name: string; readonly isNot?: true }
  | { readonly kind: 'sprint'; readonly name: string; readonly isNot?: true }
  | { readonly kind: 'sprintWord'; readonly which: 'this' | 'last' }
  | { readonly kind: 'saved'; readonly name: string }
  | {
      readonly kind: 'person';
      readonly id: string;
      readonly field: 'assignee' | 'reporter';
      /** `by bob`: who did it, where a change is asked about. */
      readonly isBy?: true;
      readonly isNot?: true;
    }
  | {
      readonly kind: 'value';
      readonly field: string;
      readonly value: string;
      readonly operator: '=' | '!=' | '>=' | '<=';
    }
  /** A condition of JQL. `state`: it speaks of now, not of what was finished. */
  | { readonly kind: 'clause'; readonly jql: string; readonly state: boolean }
  /** A change of status, within the time of the sentence where it has one. */
  | { readonly kind: 'change'; readonly from: string | null; readonly to: string };

/** True if a slot says what is not wanted. */
export function isNegated(slot: Slot): boolean {
  return 'isNot' in slot || (slot.kind === 'value' && slot.operator === '!=');
}

/** A test of slots: true for a slot of one of some kinds or intents. */
export function using(
  ...names: readonly (Exclude<Slot['kind'], 'intent'> | Intent)[]
): (slot: Slot) => boolean {
  const all: ReadonlySet<string> = new Set(names);
  return (slot) => all.has(slot.kind === 'intent' ? slot.intent : slot.kind);
}

/** The part of a sentence that says something; the end is not included. */
export interface Found {
  readonly slot: Slot;
  readonly start: number;
  readonly end: number;
}

/** The things known of a sentence so far. `taken` is true for words that say something, or nothing. */
export interface Sentence {
  readonly context: ParserContext;
  readonly found: readonly Found[];
  readonly taken: readonly boolean[];
  /** Sentences (mrkdwn) about what was taken for granted. */
  readonly assumed: readonly string[];
}

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
