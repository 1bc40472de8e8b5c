import { compareIds } from '../issues/ids-and-names.ts';
import type { AccessRule, Directory } from '../model/directory.ts';

/** The directory with these entries in it, each list by id; an entry of the same id is replaced. */
export function addToDirectory(directory: Directory, part: Partial<Directory>): Directory {
  const byId = ({ id }: { readonly id: string | number | null }) => String(id);
  return {
    sprints: replaced(directory.sprints, part.sprints, byId),
    filters: replaced(directory.filters, part.filters, byId),
    groups: replaced(directory.groups, part.groups, byId),
    fields: replaced(directory.fields, part.fields, byId),
    issueTypes: replaced(directory.issueTypes, part.issueTypes, byId),
    access: replaced(directory.access, part.access, ({ kind, id }: AccessRule) => `${kind} ${id}`),
    calendars: replaced(directory.calendars, part.calendars, byId),
    parameterSets: replaced(directory.parameterSets, part.parameterSets, byId),
    categories: replaced(directory.categories, part.categories, byId),
    delegations: replaced(directory.delegations, part.delegations, byId),
  };
}

function replaced<Entry>(
  entries: readonly Entry[],
  added: readonly Entry[] = [],
  idOf: (entry: Entry) => string,
): readonly Entry[] {
  if (added.length === 0) return entries;
  const byId = new Map([...entries, ...added].map((entry) => [idOf(entry), entry]));
  return [...byId].sort(([a], [b]) => compareIds(a, b)).map(([, entry]) => entry);
}
