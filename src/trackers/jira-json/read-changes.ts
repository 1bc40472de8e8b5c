import type { Change } from '../../model/issue.ts';
import type { JiraHistory } from './jira-schema.ts';

/** The entries of a changelog, each once: pages that moved while they were read overlap. */
export function distinctEntries(histories: readonly JiraHistory[]): readonly JiraHistory[] {
  const seen = new Set<string>();
  // Two entries without an id are the same only when all they tell is.
  for (const entry of histories) seen.add(entry.id || JSON.stringify(entry));
  if (seen.size === histories.length) return histories;
  seen.clear();
  return histories.filter((entry) => seen.size < seen.add(entry.id || JSON.stringify(entry)).size);
}

/** The items of distinct entries as changes, in no particular order, or the reason why they cannot be used. */
export function readChanges(entries: readonly JiraHistory[]): Change[] | { readonly reason: string } {
  const changes: Change[] = [];
  for (const { id, at, created, by, items } of entries) {
    if (at === null) {
      return { reason: `changelog entry ${id ?? '(no id)'} has no readable instant: '${created}'` };
    }
    for (let item = 0; item < items.length; item += 1) {
      const told = items[item];
      if (told === undefined) continue;
      const { field, from, to } = told.ends;
      changes.push({ entry: id ?? '', item, at, field, from, to, by: by?.id ?? null });
    }
  }
  return changes;
}
