import { closedProjects } from '../../model/access.ts';
import type { Directory, Sprint } from '../../model/directory.ts';
import type { FieldContent, FieldValue, Issue, Status } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';

/** What an asker may know to exist beside the issues. */
export interface Vocabulary {
  readonly statuses: ReadonlyMap<string, Status>;
  readonly sprints: readonly Sprint[];
}

/**
 * Statuses and sprints as far as the asker may see what they are of. Nobody learns of a status of a closed project;
 * of what only issues mention, such as a status that stands in no list and any sprint, an asker to whom some issues
 * are closed learns only what the others mention.
 */
export function askerVocabulary(
  asker: Asker,
  { statuses, directory }: { readonly statuses: ReadonlyMap<string, Status>; readonly directory: Directory },
  { visible, some }: { readonly visible: readonly Issue[]; readonly some: boolean },
): Vocabulary {
  if (asker.admin) return { statuses, sprints: directory.sprints };
  const closed = closedProjects(asker, directory.access, directory.groups);
  const open = [...statuses].filter(
    ([, { scope }]) => scope === undefined || !closed.has(scope.toUpperCase()),
  );
  if (!some) return { statuses: new Map(open), sprints: directory.sprints };
  const met = metIn(visible);
  return {
    statuses: new Map(open.filter(([id, { listed }]) => listed || met.statuses.has(id))),
    sprints: directory.sprints.filter(({ id, name }) => met.values.has(identity({ id, name }))),
  };
}

interface Met {
  readonly statuses: ReadonlySet<string>;
  /** Values in lists, of whatever field: sprints are kept in one of the site's own. */
  readonly values: ReadonlySet<string>;
}

const remembered = new WeakMap<readonly Issue[], Met>();

function metIn(issues: readonly Issue[]): Met {
  const known = remembered.get(issues);
  if (known !== undefined) return known;
  const statuses = new Set<string>();
  const values = new Set<string>();
  for (const { status, fields, changes } of issues) {
    statuses.add(status.id);
    for (const id in fields) for (const value of listOf(fields[id])) values.add(identity(value));
    for (const { field, from, to } of changes) {
      if (field !== 'status') continue;
      for (const value of [from, to]) if (value !== null) statuses.add(value.id);
    }
  }
  const met = { statuses, values };
  remembered.set(issues, met);
  return met;
}

function listOf(content: FieldContent | undefined): readonly FieldValue[] {
  return content !== null && typeof content === 'object' && 'length' in content ? content : [];
}

/** Ids are unique within a field only. */
function identity({ id, name }: FieldValue): string {
  return `${id}\n${name}`;
}
