import type { Change, FieldContent, FieldValue, History } from '../../model/issue.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import { elementsOf, inStableOrder, joinValues } from '../../model/issues/value-sets.ts';
import { LINKS } from './item-ends.ts';

/** Fields of which Jira logs one item per element that came or went, instead of the whole set before and after. */
const setFields: readonly string[] = ['components', 'fixVersions', 'versions', LINKS];
const areSets: ReadonlySet<string> = new Set(setFields);

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
  const others: Change[] = [];
  const ofSets: Change[] = [];
  for (let i = 0; i < changes.length; i += 1) {
    const change = changes[i];
    if (change === undefined) continue;
    if (areSets.has(change.field)) ofSets.push(change);
    else others.push(change.field === LABELS ? ofLabels(change) : change);
  }
  return ofSets.length === 0 ? others : [...others, ...undone(ofSets, contents, history)];
}

function ofLabels(change: Change): Change {
  return { ...change, from: labels(change.from), to: labels(change.to) };
}

function undone(
  changes: readonly Change[],
  contents: Readonly<Record<string, FieldContent>>,
  history: History,
): Change[] {
  // Across lost entries nothing can be undone: what the sets were before them is not known.
  if (!history.complete && history.unknownUntil === null) return [];
  return setFields.flatMap((set) => {
    const items = changes.filter(({ field }) => field === set);
    const content = elementsOf(contents[set]);
    if (items.length === 0) return [];
    return undo(set === LINKS ? items.map((item) => asLinked(item, content)) : items, content);
  });
}

/** A changelog words links in the language of the editor: the only link to an issue is the one that is shown. */
function asLinked(change: Change, content: readonly FieldValue[]): Change {
  const shown = (value: FieldValue | null) => {
    if (value === null || content.some(({ id }) => id === value.id)) return value;
    const [only, ...others] = content.filter(({ id }) => lastWord(id) === lastWord(value.id));
    return only === undefined || others.length > 0 ? value : only;
  };
  return { ...change, from: shown(change.from), to: shown(change.to) };
}

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
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

function undo(items: readonly Change[], content: readonly FieldValue[]): Change[] {
  const sorted = items.toSorted(byInstantThenEntry);
  const known = byId(sorted, content);
  const changes: Change[] = [];
  const entries = entriesNewestFirst(sorted);
  let after = new Set(content.map(({ id }) => id));
  for (const { from, to } of entries.toReversed().flat()) {
    if (from !== null) after.delete(from.id);
    if (to !== null) after.add(to.id);
  }
  const joined = (ids: ReadonlySet<string>) => joinValues([...ids].flatMap((id) => known.get(id) ?? []));
  let to = joined(after);
  for (const entry of entries) {
    const before = new Set(after);
    for (const item of entry.toReversed()) {
      if (item.to !== null) before.delete(item.to.id);
      if (item.from !== null) before.add(item.from.id);
    }
    const first = entry[0];
    const from = joined(before);
    if (first !== undefined && from?.id !== to?.id) changes.push({ ...first, from, to });
    after = before;
    to = from;
  }
  return changes;
}

/** Every element under one name: its name today, or else the one it was last mentioned by, in items from the oldest on. */
function byId(items: readonly Change[], content: readonly FieldValue[]): Map<string, FieldValue> {
  const known = new Map<string, FieldValue>();
  for (const { from, to } of items) {
    for (const value of [from, to]) if (value !== null) known.set(value.id, value);
  }
  for (const value of content) known.set(value.id, value);
  return known;
}

/** Items from the oldest on by the changelog entry they belong to; without ids, those of one instant belong together. */
function entriesNewestFirst(items: readonly Change[]): Change[][] {
  const entries = Map.groupBy(items, ({ entry, at }) => `${at} ${entry}`);
  return [...entries.values()].toReversed();
}

function byInstantThenEntry(a: Change, b: Change): number {
  return a.at - b.at || compareIds(a.entry, b.entry) || a.item - b.item;
}
