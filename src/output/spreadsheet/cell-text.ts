/** What Excel holds in a cell at most, in UTF-16 units. */
const LONGEST_TEXT = 32_767;

/** Characters are looked for at the cut only, so that no pile of combining marks takes the whole text away. */
const LONGEST_CHARACTER = 64;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text as a cell can hold it: cut between characters, with "…" at the end; halves of characters become U+FFFD. */
export function cellText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (whole.length <= LONGEST_TEXT) return whole;
  return `${whole.slice(0, cutBefore(whole, LONGEST_TEXT - 1))}…`;
}

/** The last border between characters that is not after `most`. */
function cutBefore(text: string, most: number): number {
  const from = most - LONGEST_CHARACTER;
  const found = characters.segment(text.slice(from, most + LONGEST_CHARACTER)).containing(LONGEST_CHARACTER);
  if (found !== undefined && found.index > 0) return from + found.index;
  return /[\uDC00-\uDFFF]/.test(text.charAt(most)) ? most - 1 : most;
}
