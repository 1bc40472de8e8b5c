import { closedProjects, projectKeyOf, rightsOf } from '../../model/access.ts';
import { changesOf } from '../../model/changes-of.ts';
import { contentOf } from '../../model/content-of.ts';
import type { FieldValue, Issue } from '../../model/issue.ts';
import { issueKeysIn } from './issue-keys-in.ts';
import { hasKey } from './issues-by-key.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { Scene } from './scene.ts';
import { valuesIn } from './values-in.ts';
import { isEverything } from './visible-issues.ts';

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
  if (isClosed === null && isEverything(visible)) return new Set();
  const maySee = rightsOf(asker, directory);
  const closed = new Set<string>();
  const pace = createPacer();
  for (const key of await keysIn(issues, fields, pace)) {
    const rest = pace();
    if (rest !== null) await rest;
    if (isClosed?.(projectKeyOf({ key }))) closed.add(key);
    // Most are among those that are seen anyway; looking up each of the others takes a read.
    else if (!hasKey(key, visible)) {
      const named = await issue(key);
      if (named !== null && !maySee(named)) closed.add(key);
    }
  }
  return closed;
}

async function keysIn(
  issues: readonly Issue[],
  fields: readonly string[],
  pace: Pacer,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  const add = (value: FieldValue | null) => {
    if (value !== null) for (const key of issueKeysIn(value)) keys.add(key);
  };
  for (const issue of issues) {
    const rest = pace();
    if (rest !== null) await rest;
    for (const field of fields) {
      for (const value of valuesIn(contentOf(issue, field))) add(value);
      for (const { from, to } of changesOf(issue, field)) for (const value of [from, to]) add(value);
    }
  }
  return keys;
}
