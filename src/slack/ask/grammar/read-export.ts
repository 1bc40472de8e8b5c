import {
  type Format,
  formats,
  oneOf,
  plainText,
  sourceOf,
  type Unit,
  units,
  type Word,
  wordsOf,
} from './typed-words.ts';

/** An export as it was typed: what its file is like, where it goes, and the question that it answers. */
interface ExportWords {
  /** Null: none was named. */
  readonly format: Format | null;
  readonly unit: Unit | null;
  readonly toMe: boolean;
  /** As it would be typed after `/tis`. */
  readonly question: string;
}

/** After these a word is a value of a query, or a name. */
const goesOn = /(?:[=~<>!(,]|^(?:and|or|not|in|is|was|by|project|sprint|filter|assignee|jql))$/i;

/** Reads `[FORMAT] QUESTION [FORMAT] [in UNIT] [to me]`; what belongs to the file can be anywhere outside of quotes. */
export function readExportWords(typed: string): ExportWords {
  const { found: me, left: first } = take(wordsOf(typed), 2, (text) => text === 'to me' || null);
  const { found: unit, left: second } = take(first, 2, (text) => oneOf(units, /^in (.+)$/.exec(text)?.[1]));
  const { found: format, left } = take(second, 1, (text) => oneOf(formats, text));
  const last = left.at(-1)?.plain.toLowerCase();
  const words = format !== null && last === 'as' ? left.slice(0, -1) : left;
  return { format, unit, toMe: me !== null, question: sourceOf(words) };
}

function take<Value>(
  words: readonly Word[],
  length: number,
  read: (text: string) => Value | null | undefined,
): { readonly found: Value | null; readonly left: readonly Word[] } {
  for (let at = 0; at + length <= words.length; at += 1) {
    const found = read(plainText(words.slice(at, at + length)).toLowerCase());
    if (found !== null && found !== undefined && isFree(words.slice(0, at))) {
      return { found, left: [...words.slice(0, at), ...words.slice(at + length)] };
    }
  }
  return { found: null, left: words };
}

/** True if the words after these belong neither to a literal nor to a value of a query. */
function isFree(before: readonly Word[]): boolean {
  const quotes = plainText(before).split('"').length - 1;
  return quotes % 2 === 0 && !goesOn.test(before.at(-1)?.plain ?? '');
}
