import { levelOf, projectKeyOf } from '../model/access.ts';
import type { FieldContent, Issue, User } from '../model/issue.ts';
import { rememberByChunk } from '../model/remember-by-chunk.ts';
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
  const { projects, named } = metIn(issues);
  const everybody = await users(new Set(named.flatMap(({ ids }) => ids)));
  const levelled = named.map(({ ids, ...issue }) => ({
    ...issue,
    people: ids.filter((id) => everybody.has(id)),
  }));
  return { projects: [...projects], levelled };
}

interface Met {
  readonly projects: ReadonlySet<string>;
  readonly named: readonly (Omit<LevelledIssue, 'people'> & { readonly ids: readonly string[] })[];
}

const metIn = rememberByChunk(
  meet,
  (parts): Met => ({
    projects: new Set(parts.flatMap(({ projects }) => [...projects])),
    named: parts.flatMap(({ named }) => named),
  }),
);

function meet(issues: readonly Issue[]): Met {
  const projects = new Set<string>();
  const named: Met['named'][number][] = [];
  for (const issue of issues) {
    const project = projectKeyOf(issue).toUpperCase();
    projects.add(project);
    const level = levelOf(issue);
    if (level === null || issue.id === undefined) continue;
    const ids = [...new Set(Object.values(issue.fields).flatMap(idsIn))];
    named.push({ id: issue.id, key: issue.key.toUpperCase(), project, level, ids });
  }
  return { projects, named };
}

/** Ids of whatever kind: the tracker tells what a field holds by its content only. */
function idsIn(content: FieldContent): readonly string[] {
  if (content === null || typeof content !== 'object') return [];
  return 'length' in content ? content.map(({ id }) => id) : [content.id];
}
