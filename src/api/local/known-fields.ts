import type { Issue } from '../../model/issue.ts';

/** What fields some issues have, and those a change mentions beside them. */
export interface KnownFields {
  readonly contents: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
}

const seen = new WeakMap<readonly Issue[], KnownFields>();

/** The ids of all fields of these issues; remembered as long as the array lives. */
export function knownFields(issues: readonly Issue[]): KnownFields {
  const found = seen.get(issues);
  if (found !== undefined) return found;
  const contents = new Set<string>();
  const changed = new Set<string>();
  for (const issue of issues) {
    for (const id in issue.fields) contents.add(id);
    for (const { field } of issue.changes) changed.add(field);
  }
  const fields = { contents, changed };
  seen.set(issues, fields);
  return fields;
}
