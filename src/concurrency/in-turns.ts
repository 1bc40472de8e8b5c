import { type YieldIfDue, yieldToOthers } from './cooperative-yield.ts';

/** So many are sorted without a pause: some milliseconds, however long it takes to compare two. */
const RUN = 512;

/** How many things are gone through without holding everybody up. */
export interface InTurns {
  map<Item, Made>(items: Iterable<Item>, of: (item: Item) => Made): Promise<readonly Made[]>;
  /** Stably. */
  sort<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Promise<readonly Item[]>;
}

/** From 0 on, so many at one go. */
export function* rangesOf(count: number, size: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < count; from += size) yield [from, Math.min(count, from + size)];
}

/** Goes through many things, and lets others go on meanwhile. */
export function inTurns(pace: YieldIfDue): InTurns {
  return {
    sort: (items, compare) => sortInTurns(items, compare, pace),
    async map(items, of) {
      const made: ReturnType<typeof of>[] = [];
      for (const item of items) {
        const rest = pace();
        if (rest !== null) await rest;
        made.push(of(item));
      }
      return made;
    },
  };
}

/** Sorts as `toSorted` does, stably. */
async function sortInTurns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pace: YieldIfDue,
): Promise<readonly Item[]> {
  let sorted: Item[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    const rest = pace();
    if (rest !== null) await rest;
    for (const item of items.slice(start, start + RUN).sort(compare)) sorted.push(item);
  }
  for (let width = RUN; width < sorted.length && !isInOrder(sorted, width, compare); width *= 2) {
    const merged: Item[] = [];
    for (let start = 0; start < sorted.length; start += 2 * width) {
      await mergeInto(merged, sorted, { start, width }, compare, pace);
    }
    sorted = merged;
  }
  // Whoever sorted so many has as many to go on with.
  if (items.length > RUN) await yieldToOthers();
  return sorted;
}

/** Whether parts that are sorted follow each other as they are. */
function isInOrder<Item>(
  parts: readonly Item[],
  width: number,
  compare: (a: Item, b: Item) => number,
): boolean {
  for (let start = width; start < parts.length; start += width) {
    const [last, next] = [parts[start - 1], parts[start]];
    if (last !== undefined && next !== undefined && compare(last, next) > 0) return false;
  }
  return true;
}

/** Two parts that follow each other; of two things that are level the left one comes first. */
async function mergeInto<Item>(
  merged: Item[],
  from: readonly Item[],
  { start, width }: { readonly start: number; readonly width: number },
  compare: (a: Item, b: Item) => number,
  pace: YieldIfDue,
): Promise<void> {
  const [middle, end] = [Math.min(start + width, from.length), Math.min(start + 2 * width, from.length)];
  const [last, next] = [from[middle - 1], from[middle]];
  // What is in order already need not be compared.
  const isSorted = last === undefined || next === undefined || compare(last, next) <= 0;
  let [l, r] = [start, middle];
  while (l < middle || r < end) {
    const rest = pace();
    if (rest !== null) await rest;
    const [a, b] = [from[l], from[r]];
    const isLeft =
      l < middle && (isSorted || r >= end || (a !== undefined && b !== undefined && compare(a, b) <= 0));
    const item = isLeft ? a : b;
    if (item !== undefined) merged.push(item);
    if (isLeft) l += 1;
    else r += 1;
  }
}
