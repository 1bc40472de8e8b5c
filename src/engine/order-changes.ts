import { compareIds, compareText } from '../issues/ids-and-names.ts';
import type { Change, FieldValue } from '../model/issue.ts';

/** Beyond this many changes of one field at one instant the chain is not searched for; nobody clicks that fast. */
const CHAIN_SEARCH_LIMIT = 8;

/**
 * Changes of one field in the order in which they happened: by instant, ties by the from→to chain, then by
 * entry id. The result depends only on the set of changes, never on the order in which they arrived.
 */
export function orderChanges(changes: readonly Change[]): Change[] {
  const sorted = [...changes].sort(byInstantThenEntry);
  const ordered: Change[] = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i + 1;
    while (end < sorted.length && sorted[end]?.at === sorted[i]?.at) end += 1;
    const tied = sorted.slice(i, end);
    const before = ordered.at(-1);
    ordered.push(...chain(tied, before === undefined ? undefined : identity(before.to)));
    i = end;
  }
  return ordered;
}

/** Identity of a value: its id; empty is an identity of its own. */
export function identity(value: FieldValue | null): string | null {
  return value === null ? null : value.id;
}

/** The tied changes so that each starts where the one before ended; as they are when no such order exists. */
function chain(tied: Change[], state: string | null | undefined): Change[] {
  if (tied.length === 1 || tied.length > CHAIN_SEARCH_LIMIT) return tied;
  const joined = state === undefined ? null : follow(tied, state);
  if (joined !== null) return joined;
  for (const first of tied) {
    const rest = follow(
      tied.filter((change) => change !== first),
      identity(first.to),
    );
    if (rest !== null) return [first, ...rest];
  }
  return tied;
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
