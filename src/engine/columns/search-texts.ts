import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, rowFlag } from './column-arrays.ts';
import { createTextReader } from './text-column.ts';

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

/** So many letters of a word are looked for before its text is read. */
const MAX_LETTERS = 31;

/** A search; one of the `words`, of letters and digits only, is in every text in which all patterns are. */
export function createTextSearch(patterns: readonly RegExp[], words: readonly string[]): TextSearch {
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length);
  const places = [...longest].slice(0, MAX_LETTERS);
  const letters = new Uint32Array(256);
  for (const [place, letter] of places.entries()) {
    // What the patterns take for the same letter is asked of a pattern.
    const pattern = new RegExp(letter, 'iu');
    for (let byte = 0; byte < letters.length; byte += 1) {
      if (pattern.test(String.fromCharCode(byte))) letters[byte] = (letters[byte] ?? 0) | (1 << place);
    }
  }
  return { patterns, letters, last: places.length === 0 ? 0 : 1 << (places.length - 1) };
}

/** What is said of the rows of a text. */
interface Answers {
  readonly yes: number;
  readonly no: number;
  readonly empty: number;
  /** Only the issue tells. */
  readonly ask: number;
}

/** Says of some rows whether a search finds something in a field as of an instant; without one it finds nothing. */
export function searchRows(
  { field, search }: { readonly field: string; readonly search: TextSearch | null },
  rows: Uint32Array,
  out: Uint8Array,
  {
    columns,
    asOf,
    answers,
  }: { readonly columns: ColumnArrays; readonly asOf: Instant; readonly answers: Answers },
): void {
  const { yes, no, empty, ask } = answers;
  const texts = columns.texts[field];
  if (texts === undefined) {
    out.fill(ask);
    return;
  }
  const { flags, updated } = columns;
  const { textAt, narrowAt } = createTextReader(texts);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] ?? 0;
    if (((flags[row] ?? 0) & rowFlag.odd) !== 0 || (updated[row] ?? 0) > asOf) {
      out[i] = ask;
      continue;
    }
    const narrow = search === null ? null : narrowAt(row);
    if (search !== null && narrow !== null && !mayHold(search, narrow)) {
      out[i] = no;
      continue;
    }
    const text = textAt(row);
    if (text === undefined) out[i] = ask;
    else if (text === null) out[i] = empty;
    else out[i] = search?.patterns.every((pattern) => pattern.test(text)) === true ? yes : no;
  }
}

/** Whether the letters of the word stand behind each other somewhere: hardly any text that holds them lacks the word. */
function mayHold(
  { letters, last }: TextSearch,
  { chunk, from, until }: { readonly chunk: Uint8Array; readonly from: number; readonly until: number },
): boolean {
  // Bit by bit, how much of the word stands before the next letter.
  let begun = 0;
  for (let at = from; at < until; at += 1) {
    begun = ((begun << 1) | 1) & (letters[chunk[at] ?? 0] ?? 0);
    if ((begun & last) !== 0) return true;
  }
  return last === 0;
}
