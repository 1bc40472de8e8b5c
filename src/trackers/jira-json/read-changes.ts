import type { Change } from '../../model/issue.ts';
import type { JiraHistory } from './jira-schema.ts';

/** The entries of a changelog, each once: pages that moved while they were read overlap. */
export function distinctEntries(histories: readonly JiraHistory[]): readonly JiraHistory[] {
  if (isInOrder(histories)) return histories;
  const seen = new Set<string>();
  // Two entries without an id are the same only when their whole texts are.
  for (const entry of histories) seen.add(entry.id || JSON.stringify(entry));
  if (seen.size === histories.length) return histories;
  seen.clear();
  return histories.filter((entry) => seen.size < seen.add(entry.id || JSON.stringify(entry)).size);
}

/** Returns true where the ids only rise or only fall, as Jira sends them: then none is repeated. */
function isInOrder(histories: readonly JiraHistory[]): boolean {
  let before = histories[0]?.id;
  let direction = 0;
  for (let i = 1; i < histories.length; i += 1) {
    const id = histories[i]?.id;
    if (!id || !before || id === before) return false;
    const step = id.length === before.length ? (id < before ? -1 : 1) : id.length - before.length;
    if (direction * step < 0) return false;
    direction = step;
    before = id;
  }
  return true;
}

/** The items of distinct entries as changes, in no particular order, or the reason why they cannot be used. */
export function readChanges(entries: readonly JiraHistory[]): Change[] | { readonly reason: string } {
  const changes: Change[] = [];
  for (const { id, at, created, by, items } of entries) {
    if (at === null) {
      return { reason: `changelog entry ${id ?? '(no id)'} has no readable instant: '${created}'` };
    }
    for (let item = 0; item < items.length; item += 1) {
      const change = items[item];
      if (change === undefined) continue;
      const { field, from, to } = change.ends;
      changes.push({ entry: id ?? '', item, at, field, from, to, by: by?.id ?? null });
    }
  }
  return changes;
}
