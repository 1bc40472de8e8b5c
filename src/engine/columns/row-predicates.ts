import type { Instant } from '../../model/issue.ts';
import type { ColumnArrays } from './column-arrays.ts';
import type { FinishStatuses } from './flow-rows.ts';

/** Three-valued (Kleene) truth, ordered, so that AND is the least, OR the greatest and NOT the mirror image. */
export const NO = 0;
export const UNKNOWN = 1;
export const YES = 2;
export type Truth = typeof NO | typeof UNKNOWN | typeof YES;

/** The truth of a row, or of a value, that only the issue itself shows. */
export const ASK = 3;

/**
 * A condition over rows as plain data, so that a worker can have it. Where codes have `truths`, each is a `Truth` or
 * `ASK`, and a code beyond their end is one that came later: `ASK`. Times are from `from` on and before `until`.
 */
export type RowPredicate =
  | { readonly kind: 'constant'; readonly truth: Truth }
  | { readonly kind: 'ask' }
  | { readonly kind: 'all' | 'any'; readonly of: readonly RowPredicate[] }
  | { readonly kind: 'not'; readonly of: RowPredicate }
  | CodePredicate
  /** By code of the key's project. */
  | { readonly kind: 'project'; readonly truths: Uint8Array }
  /** A key's number, within some projects (1 by code). */
  | {
      readonly kind: 'keyNumber';
      readonly projects: Uint8Array;
      readonly from: number;
      readonly until: number;
    }
  /** The row is one of these, which ascend. */
  | { readonly kind: 'rows'; readonly rows: Uint32Array }
  | InstantPredicate
  | FinishedPredicate
  | TextPredicate
  | VisitsPredicate
  | ChangesPredicate;

/** By code of what a field held then; a field that has no column is one that no issue has. */
export interface CodePredicate {
  readonly kind: 'code';
  readonly field: string;
  readonly truths: Uint8Array;
  /** It never changes: what it holds now it always held. */
  readonly always: boolean;
}

/** A field's text is found by a search (null: by none); where its texts are not held, only the issues show it. */
export interface TextPredicate {
  readonly kind: 'text';
  readonly field: string;
  readonly search: TextSearch | null;
  /** The truth of no text. */
  readonly empty: Truth;
}

/** An issue was created, updated or resolved within some time; `empty` is the truth of what was not resolved then. */
export interface InstantPredicate {
  readonly kind: 'instant';
  readonly column: 'created' | 'updated' | 'resolved';
  readonly from: Instant;
  readonly until: Instant;
  readonly empty: Truth;
}

/** An issue was finished within some time; `empty` is the truth of what was not. */
export interface FinishedPredicate {
  readonly kind: 'finished';
  readonly statuses: FinishStatuses;
  readonly from: Instant;
  readonly until: Instant;
  readonly empty: Truth;
}

/**
 * An issue had one of some values of a field within some time. `truths` are those of values by the names they have there;
 * that of `ABSENT`, time about which nothing is known, is `UNKNOWN`. `by`: whether the person (by code of
 * `FieldHistories.authors`) whose change began it counts; null: anyone does.
 */
export interface VisitsPredicate {
  readonly kind: 'visits';
  readonly of: string;
  readonly truths: Uint8Array;
  readonly by: Uint8Array | null;
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * A field was changed within some time; `before` and `after` are the truths of what from and to, null: whatever. Of a field
 * of sets they are bits of the wanted values that each set has: one that left, and one that came. `by` is that of
 * `VisitsPredicate`.
 */
export interface ChangesPredicate {
  readonly kind: 'changes';
  readonly of: string;
  readonly by: Uint8Array | null;
  readonly before: Uint8Array | Uint32Array | null;
  readonly after: Uint8Array | Uint32Array | null;
  readonly areSets: boolean;
  readonly from: Instant;
  readonly until: Instant;
}

/** The fields whose texts a predicate searches. */
export function textFieldsOf(predicate: RowPredicate): readonly string[] {
  switch (predicate.kind) {
    case 'text':
      return [predicate.field];
    case 'not':
      return textFieldsOf(predicate.of);
    case 'all':
    case 'any':
      return predicate.of.flatMap(textFieldsOf);
    default:
      return [];
  }
}

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
  for (const [index, letter] of places.entries()) {
    // A pattern decides which letters the patterns take for the same.
    const pattern = new RegExp(letter, 'iu');
    for (let byte = 0; byte < letters.length; byte += 1) {
      if (pattern.test(String.fromCharCode(byte))) letters[byte] = (letters[byte] ?? 0) | (1 << index);
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

/** The columns that predicates are evaluated over, and as of when. */
export interface EvaluationContext {
  readonly asOf: Instant;
  readonly columns: ColumnArrays;
}

/** A row that needs its issue may already be known to be at most, or at least, `UNKNOWN`. */
const AT_MOST_UNKNOWN = 4;
export const AT_LEAST_UNKNOWN = 5;

/** The least and the greatest truth that each value of `out` can turn out to be: by value, `ASK` and the two above included. */
const LEAST: readonly Truth[] = [NO, UNKNOWN, YES, NO, NO, UNKNOWN];
const GREATEST: readonly Truth[] = [NO, UNKNOWN, YES, YES, UNKNOWN, YES];

/** The values of AND and OR of two values, at eight times the first plus the second. */
export const both = joined(Math.min);
export const either = joined(Math.max);

/** The value of NOT, by value. */
export const opposites = Uint8Array.of(YES, UNKNOWN, NO, ASK, AT_LEAST_UNKNOWN, AT_MOST_UNKNOWN);

function joined(join: (one: number, other: number) => number): Uint8Array {
  const table = new Uint8Array(8 * LEAST.length);
  for (const [one, leastOne] of LEAST.entries()) {
    for (const [other, leastOther] of LEAST.entries()) {
      const least = join(leastOne, leastOther);
      const greatest = join(GREATEST[one] ?? NO, GREATEST[other] ?? NO);
      table[one * 8 + other] = LEAST.findIndex(
        (truth, value) => truth === least && GREATEST[value] === greatest,
      );
    }
  }
  return table;
}
