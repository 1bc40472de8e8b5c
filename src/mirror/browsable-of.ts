import { levelOf, projectKeyOf } from '../model/access.ts';
import type { FieldContent, Issue, User } from '../model/issue.ts';
import type { Browsable, LevelledIssue } from '../tracker/live-tracker.ts';

const remembered = new WeakMap<readonly Issue[], Promise<Browsable>>();

/**
 * What of these issues somebody may be allowed to see; the same value for the same array. An issue with a level of
 * which only the key is known cannot be asked about, and is left out.
 */
export function browsableOf(
  issues: readonly Issue[],
  users: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>,
): Promise<Browsable> {
  const known = remembered.get(issues);
  if (known !== undefined) return known;
  const found = survey(issues, users);
  remembered.set(issues, found);
  found.catch(() => remembered.delete(issues));
  return found;
}

async function survey(
  issues: readonly Issue[],
  users: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>,
): Promise<Browsable> {
  const projects = new Set<string>();
  const named: (Omit<LevelledIssue, 'people'> & { readonly ids: readonly string[] })[] = [];
  for (const issue of issues) {
    const project = projectKeyOf(issue).toUpperCase();
    projects.add(project);
    const level = levelOf(issue);
    if (level === null || issue.id === undefined) continue;
    const ids = [...new Set(Object.values(issue.fields).flatMap(idsIn))];
    named.push({ id: issue.id, key: issue.key.toUpperCase(), project, level, ids });
  }
  const everybody = await users(new Set(named.flatMap(({ ids }) => ids)));
  const levelled = named.map(({ ids, ...issue }) => ({
    ...issue,
    people: ids.filter((id) => everybody.has(id)),
  }));
  return { projects: [...projects], levelled };
}

/** Ids of whatever kind: the tracker tells what a field holds by its content only. */
function idsIn(content: FieldContent): readonly string[] {
  if (content === null || typeof content !== 'object') return [];
  return 'length' in content ? content.map(({ id }) => id) : [content.id];
}
