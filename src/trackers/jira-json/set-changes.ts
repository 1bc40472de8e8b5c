import { compareIds } from '../../issues/ids-and-names.ts';
import type { Change, FieldContent, FieldValue, History } from '../../model/issue.ts';
import { inStableOrder, joinValues } from './set-value.ts';

/** Fields of which Jira logs one item per element that came or went, instead of the whole set before and after. */
const setFields: readonly string[] = ['components', 'fixVersions', 'versions'];

/** The field of which Jira logs the whole set, with spaces in between, which no label can contain. */
const LABELS = 'labels';

/**
 * Replaces the items of every set field by changes of the whole set, one per changelog entry: its value is the
 * joined list of the elements, null for the empty set. The sets are found backwards from the field's current
 * content by undoing one entry after another; where the newest entries are lost there is nothing to begin with, and
 * the field has no changes. Where the content contradicts the newest item about an element, the item is believed.
 * Changes of other fields are left as they are.
 */
export function setChanges(
  changes: readonly Change[],
  contents: Readonly<Record<string, FieldContent>>,
  history: History = { complete: true },
): Change[] {
  if (!changes.some(({ field }) => field === LABELS || setFields.includes(field))) return [...changes];
  // Across lost entries nothing can be undone: what the sets were before them is not known.
  const reachesNow = history.complete || history.unknownUntil !== null;
  return [
    ...changes
      .filter(({ field }) => !setFields.includes(field))
      .map((change) =>
        change.field === LABELS ? { ...change, from: labels(change.from), to: labels(change.to) } : change,
      ),
    ...(reachesNow ? setFields : []).flatMap((field) =>
      undo(
        changes.filter((change) => change.field === field),
        elementsOf(contents[field]),
      ),
    ),
  ];
}

/** Puts every set of the contents into the order of its changes, so that the newest of them equals it. */
export function sortSets(contents: Record<string, FieldContent>): void {
  for (const field of [...setFields, LABELS]) {
    const content = Object.hasOwn(contents, field) ? contents[field] : null;
    if (Array.isArray(content) && content.length > 1) contents[field] = inStableOrder(elementsOf(content));
  }
}

function labels(value: FieldValue | null): FieldValue | null {
  const words = value?.name.split(' ').filter((word) => word !== '') ?? [];
  return joinValues(words.map((word) => ({ id: word, name: word })));
}

/** The values a content consists of. */
export function elementsOf(content: FieldContent | undefined): readonly FieldValue[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content !== 'object') return [{ id: String(content), name: String(content) }];
  return 'length' in content ? content : [content];
}

function undo(items: readonly Change[], content: readonly FieldValue[]): Change[] {
  const known = byId(items, content);
  const changes: Change[] = [];
  const entries = entriesNewestFirst(items);
  let after = new Set(content.map(({ id }) => id));
  for (const { from, to } of entries.toReversed().flat()) {
    if (from !== null) after.delete(from.id);
    if (to !== null) after.add(to.id);
  }
  for (const entry of entries) {
    const before = new Set(after);
    for (const { from, to } of entry.toReversed()) {
      if (to !== null) before.delete(to.id);
      if (from !== null) before.add(from.id);
    }
    const first = entry[0];
    const value = (ids: ReadonlySet<string>) => joinValues([...ids].flatMap((id) => known.get(id) ?? []));
    const from = value(before);
    const to = value(after);
    if (first !== undefined && from?.id !== to?.id) changes.push({ ...first, from, to });
    after = before;
  }
  return changes;
}

/** Every element under one name: its name today, or else the one it was last mentioned by. */
function byId(items: readonly Change[], content: readonly FieldValue[]): Map<string, FieldValue> {
  const known = new Map<string, FieldValue>();
  for (const { from, to } of items.toSorted(byInstantThenEntry)) {
    for (const value of [from, to]) if (value !== null) known.set(value.id, value);
  }
  for (const value of content) known.set(value.id, value);
  return known;
}

/** The items by the changelog entry they belong to; without ids, those of one instant belong together. */
function entriesNewestFirst(items: readonly Change[]): Change[][] {
  const entries = Map.groupBy(items.toSorted(byInstantThenEntry), ({ entry, at }) => `${at} ${entry}`);
  return [...entries.values()].toReversed();
}

function byInstantThenEntry(a: Change, b: Change): number {
  return a.at - b.at || compareIds(a.entry, b.entry) || a.item - b.item;
}
