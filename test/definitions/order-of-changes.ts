import type { Change, FieldContent, FieldValue, Issue } from '../../src/model/issue.ts';

/** Of more changes of one field at one instant no order is looked for: they come by entry id. */
const MAX_ORDERED = 8;

/**
 * The changes of one field in the order in which they happened: by instant, and at one instant so that each starts where
 * the one before ended. Where several such orders are possible, the one that starts where the field was before is taken,
 * then one that ends where the field goes on from, then the first by entry id. (docs/decisions.md, 3.)
 */
export function orderedChanges(issue: Issue, field: string): readonly Change[] {
  const sorted = issue.changes.filter((change) => change.field === field).toSorted(byInstantThenId);
  const instants = [...new Set(sorted.map(({ at }) => at))];
  const groups = instants.map((at) => sorted.filter((change) => change.at === at));
  const chains = groups.map((group) => (group.length > MAX_ORDERED ? [] : chainsOf(group)));
  const ordered: Change[] = [];
  for (const [i, group] of groups.entries()) {
    const goesOnFrom = startsFrom(chains, i + 1, issue, field);
    const before = ordered.at(-1);
    const distance = (chain: readonly Change[]) =>
      2 * Number(before !== undefined && idOf(chain[0]?.from) !== idOf(before.to)) +
      Number(!goesOnFrom.includes(idOf(chain.at(-1)?.to)));
    const [best] = (chains[i] ?? []).toSorted((a, b) => distance(a) - distance(b));
    ordered.push(...(best ?? group));
  }
  return ordered;
}

/**
 * Where the changes from the n-th instant on may start; after the last one, where the field is now, which says nothing
 * where a later change may be missing, or where the field holds what changes write otherwise.
 */
function startsFrom(
  chains: readonly (readonly (readonly Change[])[])[],
  n: number,
  issue: Issue,
  field: string,
): readonly (string | null)[] {
  const here = chains[n];
  if (here === undefined) {
    const now = issue.fields[field];
    return issue.history.complete && isOneValue(now) ? [idOf(now)] : [];
  }
  const later = startsFrom(chains, n + 1, issue, field);
  const fitting = here.filter((chain) => later.includes(idOf(chain.at(-1)?.to)));
  return (fitting.length > 0 ? fitting : here).map((chain) => idOf(chain[0]?.from));
}

/** Every order of some changes in which each starts where the one before ended. */
function chainsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  if (changes.length < 2) return [changes];
  return changes.flatMap((first) =>
    chainsOf(changes.filter((change) => change !== first))
      .filter(([second]) => idOf(second?.from) === idOf(first.to))
      .map((chain) => [first, ...chain]),
  );
}

function byInstantThenId(a: Change, b: Change): number {
  return (
    a.at - b.at ||
    compareIds(a.entry, b.entry) ||
    a.item - b.item ||
    compareText(idOf(a.from) ?? '', idOf(b.from) ?? '') ||
    compareText(idOf(a.to) ?? '', idOf(b.to) ?? '') ||
    compareText(a.by ?? '', b.by ?? '')
  );
}

/** Numbers come by their value and before all other texts. */
export function compareIds(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  const [one, other] = isNumber ? [BigInt(a), BigInt(b)] : [0n, 0n];
  return one < other ? -1 : one > other ? 1 : compareText(a, b);
}

/** Texts come by code unit. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A value is its id; empty is a value of its own. */
export function idOf(value: FieldValue | null | undefined): string | null {
  return value?.id ?? null;
}

/** Whether a field is empty or holds one value with an id, so that it can be compared with what changes say. */
export function isOneValue(content: FieldContent | undefined): content is FieldValue | null {
  return content === null || (typeof content === 'object' && !Array.isArray(content));
}
