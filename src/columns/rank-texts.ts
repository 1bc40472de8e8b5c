import { byNumbers, rising, sortedBy } from './sort-rows.ts';
import { compareTextKeys, firstLetters, LETTERS, type TextReader } from './text-column.ts';

/** Texts of rows by index: what was asked (undefined: nothing was), and what columns have. */
export interface TextPlaces {
  readonly rows: Uint32Array;
  readonly reader: TextReader | null;
  readonly keyAsked: (i: number) => string | null | undefined;
}

/** Compares two by their texts. Many are compared with few, whose keys are kept. */
export function compareTexts({ rows, reader, keyAsked }: TextPlaces): (a: number, b: number) => number {
  const keys = new Map<number, string | null>();
  const keyOf = (i: number) => {
    const known = keys.get(i);
    if (known !== undefined) return known;
    const asked = keyAsked(i);
    const key = asked === undefined ? (reader?.keyAt(rows[i] ?? 0) ?? null) : asked;
    keys.set(i, key);
    return key;
  };
  return (a, b) => {
    const asked = keyAsked(a);
    if (asked !== undefined || reader === null) return compareTextKeys(asked ?? null, keyOf(b));
    return reader.compareWith(rows[a] ?? 0, keyOf(b));
  };
}

/** So few are sorted sooner by comparing them; and so few by comparing the numbers of their letters. */
const FEW = 24;
const SOME = 4_096;

/** Texts that are the same for so many times `LETTERS` are compared as a whole. */
const DEEPEST = 30;

const TEXTS_AT_ONCE = 4_096;

/** The places of texts among each other: equal ones have the same, and none has `last`. Each step is short. */
export function* ranksOf(texts: TextPlaces, last: number): Generator<void, Float64Array> {
  const { rows, reader, keyAsked } = texts;
  const compare = (a: number, b: number) => {
    const [asked, otherAsked] = [keyAsked(a), keyAsked(b)];
    const [row, otherRow] = [rows[a] ?? 0, rows[b] ?? 0];
    if (asked === undefined && otherAsked === undefined) return reader?.compareRows(row, otherRow) ?? 0;
    const key = otherAsked === undefined ? (reader?.keyAt(otherRow) ?? null) : otherAsked;
    return asked === undefined ? (reader?.compareWith(row, key) ?? 0) : compareTextKeys(asked, key);
  };
  const lettersOf = (i: number, from: number) => {
    const asked = keyAsked(i);
    return asked === undefined ? (reader?.lettersAt(rows[i] ?? 0, from) ?? null) : firstLetters(asked, from);
  };
  const order = rising(rows.length);
  yield* sortLetters(order, 0, { compare, lettersOf });
  const ranks = new Float64Array(rows.length);
  let rank = 0;
  for (let at = 0; at < order.length; at += 1) {
    if (at % TEXTS_AT_ONCE === 0) yield;
    const i = order[at] ?? 0;
    if (at > 0 && compare(order[at - 1] ?? 0, i) !== 0) rank += 1;
    ranks[i] = lettersOf(i, 0) === null ? last : rank;
  }
  return ranks;
}

/** Sorts in place those whose texts are the same up to some letter: by the next letters, then each run by those behind. */
function* sortLetters(
  run: Uint32Array,
  depth: number,
  by: {
    readonly compare: (a: number, b: number) => number;
    readonly lettersOf: (i: number, from: number) => number | null;
  },
): Generator<void, void> {
  const { length } = run;
  if (length <= FEW) {
    run.sort(by.compare);
    return;
  }
  const letters = new Float64Array(length);
  for (let at = 0; at < length; at += 1) {
    if (at % TEXTS_AT_ONCE === 0) yield;
    letters[at] = by.lettersOf(run[at] ?? 0, depth * LETTERS) ?? Number.POSITIVE_INFINITY;
  }
  const places =
    length <= SOME
      ? rising(length).sort((a, b) => (letters[a] ?? 0) - (letters[b] ?? 0) || a - b)
      : yield* byNumbers(rising(length), letters, false);
  yield* arrange(run, places);
  for (let start = 0, end = 1; start < length; start = end, end = start + 1) {
    const first = letters[places[start] ?? 0] ?? 0;
    while (end < length && letters[places[end] ?? 0] === first) end += 1;
    if (end - start === 1 || first === Number.POSITIVE_INFINITY) continue;
    yield;
    const same = run.subarray(start, end);
    if (goesOn(first) && depth < DEEPEST) yield* sortLetters(same, depth + 1, by);
    else {
      const sorted = yield* sortedBy(same.length, (a, b) => by.compare(same[a] ?? 0, same[b] ?? 0));
      yield* arrange(same, sorted);
    }
  }
}

function* arrange(run: Uint32Array, places: Uint32Array): Generator<void, void> {
  yield;
  const before = run.slice();
  for (let at = 0; at < run.length; at += 1) run[at] = before[places[at] ?? 0] ?? 0;
}

/** Whether all of the letters of a number are given, and there may be more of them. */
function goesOn(letters: number): boolean {
  for (let rest = letters, i = 0; i < LETTERS; i += 1, rest = Math.floor(rest / 256)) {
    const letter = rest % 256;
    if (letter === 0 || letter === 255) return false;
  }
  return true;
}
