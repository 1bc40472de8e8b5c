import { linkKey } from '../../../model/issues/issue-link.ts';
import { unescapeMrkdwn } from '../../blocks/mrkdwn.ts';

/** A typed word: as it is to be understood, and as it was typed, with the blanks before it. */
export interface Word {
  readonly plain: string;
  readonly source: string;
}

/** The words of a text. */
export function wordsOf(text: string): readonly Word[] {
  return (text.match(/\s*\S+/g) ?? []).map((source) => ({ source, plain: straightQuotes(source.trim()) }));
}

/** The words as they were typed, blanks between them included. */
export function sourceOf(words: readonly Word[]): string {
  return words
    .map(({ source }) => source)
    .join('')
    .trim();
}

/** The words with one blank between them. */
export function plainText(words: readonly Word[]): string {
  return words.map(({ plain }) => plain).join(' ');
}

/** Phones and word processors bend quotes. */
function straightQuotes(word: string): string {
  return word.replaceAll(/[“”„‟]/g, '"').replaceAll(/[‘’‚‛]/g, "'");
}

/** Without the quotes around it, if they are of one kind. */
export function unquoted(text: string): string {
  return /^(?:".+"|'.+'|[“”„‟].+[“”„‟]|[‘’‚‛].+[‘’‚‛])$/s.test(text) ? text.slice(1, -1) : text;
}

/** The formats of files as people type and choose them. */
export const formats = ['xlsx', 'xls', 'csv', 'json'] as const;
/** A format of a file. */
export type Format = (typeof formats)[number];

/** The units durations in files can have. */
export const units = ['hours', 'days', 'minutes', 'seconds'] as const;
/** A unit of durations in a file. */
export type Unit = (typeof units)[number];

/** The allowed word that a typed one is, in any case; undefined if it is none of them. */
export function oneOf<T extends string>(allowed: readonly T[], word: string | undefined): T | undefined {
  return allowed.find((one) => one === word?.toLowerCase());
}

/** Mentions and links, whose angle brackets compare nothing. */
export const slackMarks = /<(?:[@!#]|https?:|mailto:)[^<>]*>/g;

const bare = /^[A-Z][A-Z0-9_]*-\d+$/i;

/**
 * The issue keys among some words, each once and in upper case, and the words that are none. A key may come bare, with
 * punctuation around it, or inside a link to the issue, as people paste them.
 */
export function readIssueKeys(words: readonly string[]) {
  const keys = new Set<string>();
  const others: string[] = [];
  for (const word of words.flatMap((one) => one.split(/[,;]/)).filter((one) => one !== '')) {
    const [plain = ''] = word
      .replace(/^[<("'`*_]+/, '')
      .replace(/(?<![>)"'`*_.:!?])[>)"'`*_.:!?]+$/, '')
      .split('|');
    // People may leave out how a link begins.
    const linked = plain.includes('/') ? linkKey(/^https?:/i.test(plain) ? plain : `https://${plain}`) : null;
    const key = linked ?? (bare.test(plain) ? plain : null);
    if (key === null) others.push(word);
    else keys.add(key.toUpperCase());
  }
  return { keys: [...keys], others };
}

/** More words than that name no calendar and no field. */
export const MAX_WORDS = 4;

/** True if words are issue keys with an end, such as `in Berlin`: an end that cannot be read is an error. */
export function areKeysWithEnd(words: readonly string[]): boolean {
  const at = words.findIndex((word) => oneOf(['in', 'by'], word) !== undefined);
  const { keys, others } = readIssueKeys(words.slice(0, Math.max(0, at)));
  const count = words.length - at - 1;
  return keys.length > 0 && others.length === 0 && count > 0 && count <= MAX_WORDS;
}

const links = /https?:[^\s>|]*/gi;
/** In prose only capitals make a key; in a link to an issue any case does. */
const capital = /(?<![\w-])[A-Z][A-Z0-9_]*-[1-9]\d*(?![\w-])/g;

/** Issue keys that a message (mrkdwn) mentions, in its text and in its links, each once, in upper case. */
export function keysInMessage(mrkdwn: string): readonly string[] {
  const text = unescapeMrkdwn(mrkdwn);
  // A link shows what it leads to, so that its label says no more.
  const prose = text.replaceAll(links, ' ');
  const found = [
    ...[...text.matchAll(links)].flatMap(
      ([link]) => linkKey(link.replace(/(?<![)"'`*_.,;:!?])[)"'`*_.,;:!?]+$/, '')) ?? [],
    ),
    ...prose.matchAll(capital).map(([key]) => key),
  ];
  return [...new Set(found)];
}
