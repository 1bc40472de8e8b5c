import { rememberByChunk } from '../../issues/issue-chunks.ts';
import type { AskersDirectory, FieldName, Sprint } from '../../model/directory.ts';
import type { FieldContent, FieldValue, Issue, Status, User } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';
import { closedProjects } from '../access-rules.ts';

/** What an asker may know to exist beside the issues. */
export interface Vocabulary {
  readonly statuses: ReadonlyMap<string, Status>;
  readonly sprints: readonly Sprint[];
  readonly fields: readonly FieldName[];
  readonly users: ReadonlyMap<string, User>;
}

/** What there is. */
interface Everything extends Pick<Vocabulary, 'statuses' | 'users'> {
  readonly directory: AskersDirectory;
}

/**
 * Statuses, sprints, fields and people as far as the asker may see what they are of. Nobody learns of a status of a
 * closed project; of what only issues mention, such as a status that stands in no list, an asker to whom some issues are closed, or may be, learns
 * only what the others mention.
 */
export function askerVocabulary(
  asker: Asker,
  { statuses, users, directory }: Everything,
  { visible, some }: { readonly visible: readonly Issue[]; readonly some: boolean },
): Vocabulary {
  const { sprints, fields } = directory;
  if (asker.admin) return { statuses, sprints, fields, users };
  const isClosed = closedProjects(asker, directory);
  const open = [...statuses].filter(([, { scope }]) => scope === undefined || !isClosed?.(scope));
  // A project nobody here knows an issue of may be closed by the tracker itself, never by a rule.
  if (!some && directory.sight === null) return { statuses: new Map(open), sprints, fields, users };
  const met = metIn(visible);
  return {
    statuses: new Map(open.filter(([id, { listed }]) => listed || met.statuses.has(id))),
    sprints: sprints.filter(({ id, name }) => met.values.has(identity({ id, name }))),
    fields: fields.filter(({ id }) => met.fields.has(id)),
    users: new Map([...users].filter(([id]) => id === asker.user || met.people.has(id))),
  };
}

/** The ids of everybody these issues mention. */
export function peopleIn(issues: readonly Issue[]): ReadonlySet<string> {
  return metIn(issues).people;
}

interface Met {
  readonly statuses: ReadonlySet<string>;
  /** Values in lists, of whatever field: sprints are kept in one of the site's own. */
  readonly values: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  readonly people: ReadonlySet<string>;
}

const metIn = rememberByChunk(meet, joinMet);

function meet(issues: readonly Issue[]): Met {
  const statuses = new Set<string>();
  const values = new Set<string>();
  const named = new Set<string>();
  const people = new Set<string>();
  for (const { status, fields, changes } of issues) {
    statuses.add(status.id);
    for (const id in fields) {
      named.add(id);
      for (const value of listOf(fields[id])) values.add(identity(value));
    }
    for (const id of peopleFields) {
      const person = fields[id];
      if (isValue(person)) people.add(person.id);
    }
    for (const { field, from, to, by } of changes) {
      named.add(field);
      if (by !== null) people.add(by);
      const into = field === 'status' ? statuses : peopleFields.includes(field) ? people : null;
      for (const value of [from, to]) if (value !== null) into?.add(value.id);
    }
  }
  return { statuses, values, fields: named, people };
}

function joinMet(parts: readonly Met[]): Met {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const joined = (of: (part: Met) => ReadonlySet<string>) => {
    const all = new Set<string>();
    for (const part of parts) for (const one of of(part)) all.add(one);
    return all;
  };
  return {
    statuses: joined((part) => part.statuses),
    values: joined((part) => part.values),
    fields: joined((part) => part.fields),
    people: joined((part) => part.people),
  };
}

const peopleFields: readonly string[] = ['assignee', 'reporter', 'creator'];

function isValue(content: FieldContent | undefined): content is FieldValue {
  return content !== null && typeof content === 'object' && 'id' in content;
}

function listOf(content: FieldContent | undefined): readonly FieldValue[] {
  return content !== null && typeof content === 'object' && 'length' in content ? content : [];
}

/** Ids are unique within a field only. */
function identity({ id, name }: FieldValue): string {
  return `${id}\n${name}`;
}
