/** A search for words as plain data: each of the patterns has to be in a text. */
export interface TextSearch {
  readonly patterns: readonly RegExp[];
  /**
   * A word that has to be in the text, whatever its case: by byte of a text that takes one a character, at which of the
   * word's places it may stand (bit 0: the first one), and the bit of the last one.
   */
  readonly letters: Uint32Array;
  readonly last: number;
}

/** Letters of a word that are looked for before its text is read. */
const MAX_LETTERS = 31;

/** A search; one of the `words`, of letters and digits only, is in every text in which all patterns are. */
export function createTextSearch(patterns: readonly RegExp[], words: readonly string[]): TextSearch {
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length);
  const places = [...longest].slice(0, MAX_LETTERS);
  const letters = new Uint32Array(256);
  for (const [place, letter] of places.entries()) {
    // A pattern decides which letters the patterns take for the same.
    const pattern = new RegExp(letter, 'iu');
    for (let byte = 0; byte < letters.length; byte += 1) {
      if (pattern.test(String.fromCharCode(byte))) letters[byte] = (letters[byte] ?? 0) | (1 << place);
    }
  }
  return { patterns, letters, last: places.length === 0 ? 0 : 1 << (places.length - 1) };
}

/** Returns true where the letters of the word follow each other somewhere: hardly any text that has them lacks the word. */
export function mayHold(
  { letters, last }: TextSearch,
  { chunk, from, until }: { readonly chunk: Uint8Array; readonly from: number; readonly until: number },
): boolean {
  // Bit by bit, how much of the word stands before the next letter.
  let begun = 0;
  for (let at = from; at < until; at += 1) {
    begun = ((begun << 1) | 1) & (letters[chunk[at]] ?? 0);
    if ((begun & last) !== 0) return true;
  }
  return last === 0;
}
