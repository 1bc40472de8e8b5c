import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import type { Issue } from '../model/issue.ts';
import { compareByCreation } from './compare-by-creation.ts';

/** Sorted or merged between two looks at what else there is to do; some milliseconds. */
const AT_ONCE = 8_192;

/** The issues by creation; others get their turn while many are sorted. */
export async function sortByCreation(issues: readonly Issue[]): Promise<readonly Issue[]> {
  let runs: (readonly Issue[])[] = [];
  for (let start = 0; start < issues.length; start += AT_ONCE) {
    if (start > 0) await yieldToOthers();
    runs.push(issues.slice(start, start + AT_ONCE).sort(compareByCreation));
  }
  while (runs.length > 1) {
    const merged: (readonly Issue[])[] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(await mergeByCreation(runs[i] ?? [], runs[i + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Two sorted lists as one; others get their turn meanwhile. */
export async function mergeByCreation(
  some: readonly Issue[],
  others: readonly Issue[],
): Promise<readonly Issue[]> {
  const [last, first] = [some.at(-1), others[0]];
  if (last === undefined) return others;
  // Issues mostly come in the order in which they were created.
  if (first === undefined || compareByCreation(last, first) <= 0) return some.concat(others);
  const merged: Issue[] = [];
  let other = 0;
  for (const one of some) {
    for (
      let next = others[other];
      next !== undefined && compareByCreation(next, one) < 0;
      next = others[other]
    ) {
      merged.push(next);
      other += 1;
      if (merged.length % AT_ONCE === 0) await yieldToOthers();
    }
    merged.push(one);
    if (merged.length % AT_ONCE === 0) await yieldToOthers();
  }
  return merged.concat(others.slice(other));
}
