import { closedProjects, projectKeyOf, rightsOf } from '../../model/access.ts';
import type { FieldValue, Issue } from '../../model/issue.ts';
import { issueKeysIn } from './issue-keys-in.ts';
import { hasKey } from './issues-by-key.ts';
import type { Scene } from './scene.ts';
import { valuesIn } from './values-in.ts';

/**
 * The keys (upper case) that these fields name, now or in the history, and that the asker may not read: of a project
 * closed to them, whether or not there is such an issue, and of issues closed to them, under an earlier key as well.
 */
export async function closedKeys(
  issues: readonly Issue[],
  fields: readonly string[],
  { asker, directory, issue }: Pick<Scene, 'asker' | 'directory' | 'issue'>,
  visible: readonly Issue[],
): Promise<ReadonlySet<string>> {
  const isClosed = closedProjects(asker, directory);
  const maySee = rightsOf(asker, directory);
  const closed = new Set<string>();
  for (const key of keysIn(issues, fields)) {
    if (isClosed?.(projectKeyOf({ key }))) closed.add(key);
    // Most are among those that are seen anyway; looking up each of the others takes a read.
    else if (!hasKey(key, visible)) {
      const named = await issue(key);
      if (named !== null && !maySee(named)) closed.add(key);
    }
  }
  return closed;
}

function keysIn(issues: readonly Issue[], fields: readonly string[]): ReadonlySet<string> {
  const keys = new Set<string>();
  const add = (value: FieldValue | null) => {
    if (value !== null) for (const key of issueKeysIn(value)) keys.add(key);
  };
  for (const issue of issues) {
    for (const field of fields) {
      if (Object.hasOwn(issue.fields, field)) for (const value of valuesIn(issue.fields[field])) add(value);
    }
    for (const { field, from, to } of issue.changes) {
      if (fields.includes(field)) for (const value of [from, to]) add(value);
    }
  }
  return keys;
}
