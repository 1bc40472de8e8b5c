import type { Directory, Group } from '../../model/directory.ts';

/** Collects the facts beside the issues that several entries, pages and files have. */
interface CollectBeside {
  /** The new part of it; null where nothing is new. */
  news(part: Partial<Directory>): Partial<Directory> | null;
  /** Adds these people to the group. */
  join(group: Group): void;
  /** Every group, with all its people. */
  groups(): readonly Group[];
}

/** Every page of an answer repeats its sprints and field names; the people of a group come in pages. */
export function collectBeside(): CollectBeside {
  const seen = new Map<string, object>();
  const groups = new Map<string, { name: string; readonly members: Set<string> }>();
  const isNew = (kind: string, id: string, entry: object) => {
    const key = `${kind} ${id}`;
    const before = seen.get(key);
    if (before !== undefined && isSame(before, entry)) return false;
    seen.set(key, entry);
    return true;
  };
  return {
    news({ sprints = [], filters = [], fields = [], issueTypes = [], versions = [] }) {
      const part = {
        sprints: sprints.filter((one) => isNew('sprint', one.id, one)),
        filters: filters.filter((one) => isNew('filter', one.id, one)),
        fields: fields.filter((one) => isNew('field', one.id, one)),
        issueTypes: issueTypes.filter((one) => isNew('issue type', one.id, one)),
        versions: versions.filter((one) => isNew('version', one.id, one)),
      };
      return Object.values(part).some((list) => list.length > 0) ? part : null;
    },
    join({ id, name, members }) {
      const group = groups.get(id) ?? { name, members: new Set<string>() };
      groups.set(id, group);
      group.name = name;
      for (const member of members) group.members.add(member);
    },
    groups: () => [...groups].map(([id, { name, members }]) => ({ id, name, members: [...members] })),
  };
}

/** True if two entries of one list are the same; their members are no objects and come in the same order. */
function isSame(one: object, other: object): boolean {
  const members: unknown[] = Object.values(one);
  const others: unknown[] = Object.values(other);
  return members.length === others.length && members.every((member, i) => member === others[i]);
}
