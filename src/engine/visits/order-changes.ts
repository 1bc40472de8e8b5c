import type { Change, FieldValue } from '../../model/issue.ts';
import { compareIds, compareText } from '../../model/issues/ids-and-names.ts';

/** Maximum number of changes of a field at one instant for which chains are searched; people are not that fast. */
const CHAIN_SEARCH_LIMIT = 8;

/**
 * Sorts changes of one field in the order in which they happened: by instant; ties by the chain from value to value
 * and, if there are several chains, by the value that follows, then by entry id. `now` returns the identity of the
 * value after all changes, undefined if it is unknown. The result does not depend on the given order.
 */
export function orderChanges(
  changes: readonly Change[],
  now: () => string | null | undefined,
): readonly Change[] {
  // Changes are nearly always in order and at different instants.
  if (changes.every(({ at }, i) => i === 0 || at > (changes[i - 1]?.at ?? at))) return changes;
  const sorted = [...changes].sort(byInstantThenEntry);
  if (sorted.every(({ at }, i) => at !== sorted[i + 1]?.at)) return sorted;
  const ties: (readonly Change[])[] = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i + 1;
    while (end < sorted.length && sorted[end]?.at === sorted[i]?.at) end += 1;
    ties.push(sorted.slice(i, end));
    i = end;
  }
  const chains = chainsOf(ties, now());
  const ordered: Change[] = [];
  for (const [i, tied] of ties.entries()) {
    const before = ordered.at(-1);
    const possible = chains[i] ?? [];
    const joined =
      before === undefined ? undefined : possible.find((chain) => beginsWith(chain, identity(before.to)));
    ordered.push(...(joined ?? possible[0] ?? tied));
  }
  return ordered;
}

/** For each instant, the possible chains of its changes, first those that end with the next instant's first value. */
function chainsOf(
  ties: readonly (readonly Change[])[],
  now: string | null | undefined,
): readonly (readonly (readonly Change[])[])[] {
  let next: readonly (string | null)[] = now === undefined ? [] : [now];
  const found = ties.toReversed().map((tied) => {
    const chains = chainsIn(tied);
    const [fitting, others] = [true, false].map((isFitting) =>
      chains.filter((chain) => next.includes(identity(chain.at(-1)?.to ?? null)) === isFitting),
    );
    const best = fitting === undefined || fitting.length === 0 ? chains : fitting;
    next = best.map(([first]) => identity(first?.from ?? null));
    return [...(fitting ?? []), ...(others ?? [])];
  });
  return found.reverse();
}

/** The identity of a value: its id, or null for an empty value. */
export function identity(value: FieldValue | null): string | null {
  return value === null ? null : value.id;
}

function beginsWith([first]: readonly Change[], state: string | null): boolean {
  return first !== undefined && identity(first.from) === state;
}

/**
 * The chains of the changes of one instant, in which each begins with the value that the previous one ended with: one
 * chain for each change that can be the first.
 */
function chainsIn(tied: readonly Change[]): readonly (readonly Change[])[] {
  if (tied.length === 1) return [tied];
  if (tied.length > CHAIN_SEARCH_LIMIT) return [];
  return tied.flatMap((first) => {
    const rest = follow(
      tied.filter((change) => change !== first),
      identity(first.to),
    );
    return rest === null ? [] : [[first, ...rest]];
  });
}

function follow(left: readonly Change[], state: string | null): Change[] | null {
  if (left.length === 0) return [];
  for (const next of left) {
    if (identity(next.from) !== state) continue;
    const rest = follow(
      left.filter((change) => change !== next),
      identity(next.to),
    );
    if (rest !== null) return [next, ...rest];
  }
  return null;
}

function byInstantThenEntry(a: Change, b: Change): number {
  return (
    a.at - b.at ||
    compareIds(a.entry, b.entry) ||
    a.item - b.item ||
    compareText(identity(a.from) ?? '', identity(b.from) ?? '') ||
    compareText(identity(a.to) ?? '', identity(b.to) ?? '') ||
    compareText(a.by ?? '', b.by ?? '')
  );
}
