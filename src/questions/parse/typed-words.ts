/** A word of what somebody typed: as it is to be understood, and as it stood there, with the blanks before it. */
export interface Word {
  readonly plain: string;
  readonly source: string;
}

/** The words of a text. */
export function wordsOf(text: string): readonly Word[] {
  return (text.match(/\s*\S+/g) ?? []).map((source) => ({ source, plain: straightQuotes(source.trim()) }));
}

/** The same words as they were typed, blanks between them included. */
export function sourceOf(words: readonly Word[]): string {
  return words
    .map(({ source }) => source)
    .join('')
    .trim();
}

/** The same words with one blank between them. */
export function plainText(words: readonly Word[]): string {
  return words.map(({ plain }) => plain).join(' ');
}

/** Phones and word processors bend quotes. */
function straightQuotes(word: string): string {
  return word.replaceAll(/[“”„‟]/g, '"').replaceAll(/[‘’‚‛]/g, "'");
}
