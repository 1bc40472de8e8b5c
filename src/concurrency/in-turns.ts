import { type YieldIfDue, yieldToOthers } from './cooperative-yield.ts';

/** So many are sorted without a pause: some milliseconds, however dear it is to compare two. */
const RUN = 512;

/** How many things are gone through without holding everybody up. */
interface Turns {
  map<Item, Made>(items: Iterable<Item>, of: (item: Item) => Made): Promise<readonly Made[]>;
  /** Stably. */
  sort<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Promise<readonly Item[]>;
}

/** Goes through many things, and lets others go on meanwhile. */
export function inTurns(pace: YieldIfDue): Turns {
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
  for (let width = RUN; width < sorted.length; width *= 2) {
    const merged: Item[] = [];
    for (let start = 0; start < sorted.length; start += 2 * width) {
      const [middle, end] = [start + width, start + 2 * width];
      await mergeInto(merged, sorted.slice(start, middle), sorted.slice(middle, end), compare, pace);
    }
    sorted = merged;
  }
  // Whoever sorted so many has as many to go on with.
  if (items.length > RUN) await yieldToOthers();
  return sorted;
}

/** Of two that are level the left one comes first. */
async function mergeInto<Item>(
  merged: Item[],
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pace: YieldIfDue,
): Promise<void> {
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const rest = pace();
    if (rest !== null) await rest;
    const [a, b] = [left[l], right[r]];
    if (a !== undefined && (b === undefined || compare(a, b) <= 0)) {
      merged.push(a);
      l += 1;
    } else if (b !== undefined) {
      merged.push(b);
      r += 1;
    }
  }
}
