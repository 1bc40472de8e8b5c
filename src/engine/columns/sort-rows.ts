/** A rest where the time slice is used up, to be awaited; null where it is not. */
export type Rest = () => Promise<void> | null;

/** Which of two rows comes first: negative, the one given first. */
type CompareRows = (a: number, b: number) => number;

/** Keys are sorted by digits of 16 bits; three of them reach over every time span of ours. */
const DIGIT = 2 ** 16;
const DIGITS = 3;

/** Rows looked at between two looks at the time slice. */
const ROWS_AT_ONCE = 65_536;

/**
 * The rows from 0 on by a key of each, in whole numbers; `compare` decides where keys are the same. Others get their turn
 * meanwhile. By digits: comparing each with others takes ten times as long.
 */
export async function rowsByKey(keys: Float64Array, compare: CompareRows, rest: Rest): Promise<Uint32Array> {
  const rows = new Uint32Array(keys.length);
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < rows.length; row += 1) {
    rows[row] = row;
    const key = keys[row];
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
  }
  if (highest - lowest >= DIGIT ** DIGITS) {
    return rows.sort((a, b) => keys[a] - keys[b] || compare(a, b));
  }
  let sorted = rows;
  for (let unit = 1; highest - lowest >= unit; unit *= DIGIT) {
    sorted = await byDigit(sorted, (row) => Math.floor((keys[row] - lowest) / unit) % DIGIT, rest);
  }
  return sortTies(sorted, keys, { compare, rest });
}

/** The rows by a digit of each; those with the same one stay in the order they are in. */
async function byDigit(
  rows: Uint32Array<ArrayBuffer>,
  digitOf: (row: number) => number,
  rest: Rest,
): Promise<Uint32Array<ArrayBuffer>> {
  const digits = new Uint16Array(rows.length);
  const places = new Uint32Array(DIGIT + 1);
  for (let row = 0; row < rows.length; row += 1) {
    const digit = digitOf(row);
    digits[row] = digit;
    places[digit + 1] += 1;
    const due = row % ROWS_AT_ONCE === 0 ? rest() : null;
    if (due !== null) await due;
  }
  for (let digit = 0; digit < DIGIT; digit += 1) {
    places[digit + 1] += places[digit];
  }
  const sorted = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const digit = digits[row];
    const place = places[digit];
    sorted[place] = row;
    places[digit] = place + 1;
    const due = i % ROWS_AT_ONCE === 0 ? rest() : null;
    if (due !== null) await due;
  }
  return sorted;
}

async function sortTies(
  rows: Uint32Array,
  keys: Float64Array,
  { compare, rest }: { readonly compare: CompareRows; readonly rest: Rest },
): Promise<Uint32Array> {
  let start = 0;
  for (let i = 1; i <= rows.length; i += 1) {
    if (i < rows.length && keys[rows[i]] === keys[rows[start]]) continue;
    if (i - start > 1) sortRun(rows, start, i, compare);
    start = i;
    const due = i % ROWS_AT_ONCE === 0 ? rest() : null;
    if (due !== null) await due;
  }
  return rows;
}

function sortRun(rows: Uint32Array, start: number, end: number, compare: CompareRows): void {
  const [first = 0, second = 0] = [rows[start], rows[start + 1]];
  // Most are of two, for which a sort takes its time to begin.
  if (end - start > 2) rows.subarray(start, end).sort(compare);
  else if (compare(first, second) > 0) {
    rows[start] = second;
    rows[start + 1] = first;
  }
}

/** Numbers compared between two steps: a millisecond or two. */
const COMPARED_AT_ONCE = 4_096;

/** Numbers that are sorted at once. */
const RUN = 512;

/** The numbers below `length` as `compare` orders them, those that are level as they are; each step is short. */
export function* sortedBy(length: number, compare: CompareRows): Generator<void, Uint32Array> {
  let order = rising(length);
  for (let start = 0; start < length; start += RUN) {
    yield;
    order.subarray(start, start + RUN).sort(compare);
  }
  let spare = new Uint32Array(length);
  for (let width = RUN; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(length, start + width);
      const end = Math.min(length, middle + width);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at += 1) {
        if (at % COMPARED_AT_ONCE === 0) yield;
        const [one, other] = [order[left], order[right]];
        const isLeft = right === end || (left < middle && compare(one, other) <= 0);
        spare[at] = isLeft ? one : other;
        if (isLeft) left += 1;
        else right += 1;
      }
    }
    [order, spare] = [spare, order];
  }
  return order;
}

/** The numbers below `length`. */
export function rising(length: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i += 1) numbers[i] = i;
  return numbers;
}

/** The result of steps; others get their turn between them. */
export async function inSteps<Found>(finding: Generator<void, Found>, rest: Rest): Promise<Found> {
  for (;;) {
    const { done, value } = finding.next();
    if (done === true) return value;
    const due = rest();
    if (due !== null) await due;
  }
}
