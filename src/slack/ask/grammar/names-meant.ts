import { type AppError, badRequestAs, type ErrorData } from '../../../model/error.ts';
import { plainText, sourceOf, unquoted, wordsOf } from './typed-words.ts';

const MAX_CHOICES = 5;
/** Shorter texts are part of too much. */
const MIN_LENGTH = 3;

/** The one name that a text is part of, whatever its case; null where none or several are. */
export function onlyMeant(typed: string, names: readonly string[]): string | null {
  const [only, ...others] = namesWith(typed, names);
  return only === undefined || others.length > 0 ? null : only;
}

/** The names that a text can mean that is no name: those it is part of, else the nearest; at most five. */
export function namesMeant(typed: string, names: readonly string[]): readonly string[] {
  const found = namesWith(typed, names);
  if (found.length > 0) return found.slice(0, MAX_CHOICES);
  const near = nearestOf(typed, names);
  return near === null ? [] : [near];
}

/** Asks whether one of some names was meant, in at most one sentence. */
export function didYouMean(meant: readonly string[]): readonly string[] {
  return meant.length === 0 ? [] : [`Did you mean ${inWords(meant.map((name) => `"${name}"`))}?`];
}

/** The lines that correct a typed one: what is wrong in it is replaced by each name that was likely meant. */
export function correctedLines(
  typed: string,
  { kind, value = '', known = [], meant = [] }: ErrorData,
): readonly string[] {
  // If no calendar's name is similar, one of working hours is suggested.
  const work = kind === 'calendar' ? known.filter((calendar) => calendar !== '24/7').slice(0, 1) : [];
  const names = meant.length === 0 ? work : meant;
  const words = wordsOf(typed);
  const count = wordsOf(String(value)).length;
  for (let at = 0; count > 0 && at + count <= words.length; at += 1) {
    const found = plainText(words.slice(at, at + count));
    if (found !== value && unquoted(found) !== value) continue;
    const [before, after] = [sourceOf(words.slice(0, at)), sourceOf(words.slice(at + count))];
    const quote = found === value ? '' : '"';
    return names.map((name) => `${before} ${quote}${name}${quote} ${after}`.trim());
  }
  return [];
}

/** Choices as they are said: `a, b or c`. */
export function inWords(quoted: readonly string[]): string {
  const last = quoted.at(-1) ?? '';
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${last}` : last;
}

/** Whole words come first: `Sprint 1` does not mean `WEB Sprint 10`. */
function namesWith(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted.length < MIN_LENGTH) return [];
  const parted = [...new Set(names)].filter((name) => name.toLowerCase().includes(wanted));
  const whole = parted.filter((name) => holdsWords(name.toLowerCase(), wanted));
  return whole.length > 0 ? whole : parted;
}

function holdsWords(name: string, wanted: string): boolean {
  const inWord = /[\p{L}\p{N}]/u;
  for (let at = name.indexOf(wanted); at >= 0; at = name.indexOf(wanted, at + 1)) {
    const [before, behind] = [name[at - 1] ?? ' ', name[at + wanted.length] ?? ' '];
    if (!inWord.test(before) && !inWord.test(behind)) return true;
  }
  return false;
}

const MAX_EDITS = 2;
/** So much of a word has to be left, or every short name would be one. */
const MIN_KEPT = 2;
const MAX_CHARACTERS = 20;
const SHORT = 4;

/** Which of some words was likely meant by one that is none of them, whatever its case; null where none is near. */
export function nearestOf(typed: string, words: readonly string[]): string | null {
  if (typed.length > MAX_CHARACTERS) return null;
  const lower = typed.toLowerCase();
  // A short word that begins otherwise has one wrong letter at most, or *how* would be *flow*.
  const maxEdits = (word: string) =>
    typed.length < SHORT && !word.toLowerCase().startsWith(lower.charAt(0)) ? 1 : MAX_EDITS;
  const [nearest] = words
    .map((word) => ({ word, other: word.toLowerCase() }))
    // Each letter more or less is an edit.
    .filter(({ other }) => Math.abs(other.length - lower.length) <= MAX_EDITS)
    .map(({ word, other }) => ({ word, edits: editDistance(lower, other) }))
    .filter(({ word, edits }) => edits <= Math.min(maxEdits(word), word.length - MIN_KEPT))
    .toSorted((a, b) => a.edits - b.edits);
  return nearest?.word ?? null;
}

/** The number of letters to put in, leave out, replace or swap with their neighbour to make one word another. */
export function editDistance(from: string, to: string): number {
  let older: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(previous, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? at(older, j - 2) + 1
          : replaced;
      row.push(Math.min(replaced, swapped, at(previous, j) + 1, at(row, j - 1) + 1));
    }
    [older, previous] = [previous, row];
  }
  return at(previous, to.length);
}

function at(row: readonly number[], i: number): number {
  return row[i] ?? Number.POSITIVE_INFINITY;
}

/** More names are not read. */
const MAX_NAMES = 10;

/** A word that is none of those allowed (`what`: `calendar`), with what it can mean; `unlisted` more are allowed beside them. */
export function unknownWord(what: string, word: string, allowed: readonly string[], unlisted = 0): AppError {
  const more = Math.max(0, allowed.length - MAX_NAMES) + unlisted;
  const names = allowed.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const meant = namesMeant(word, allowed);
  return badRequestAs(
    'unknown-name',
    [
      `I couldn't find the ${what} "${word}"${names === '' ? '; there are none' : `. Try: ${names}`}.`,
      ...didYouMean(meant),
    ],
    { kind: what, value: word, known: allowed, unlisted, meant },
  );
}
