import { memo } from '../../cache/namespace.ts';
import type { AccessRule, Directory } from '../../model/directory.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import type { Documents } from '../../store/documents.ts';
import type { DirectoryList } from '../../store/tracker-documents.ts';
import type { TrackerLists } from './tracker-lists.ts';

type Entry = DirectoryList['entries'][number];

/** Opens the lists of one tracker, such as groups and sprints: a document for each list. */
export function openDirectoryLists(
  documents: Documents<DirectoryList>,
): Pick<TrackerLists, 'directory' | 'putDirectory' | 'replaceDirectory' | 'removeAccess'> {
  const directoryOf = memo((lists: readonly DirectoryList[]): Directory => {
    const list = <Kind extends keyof Directory>(kind: Kind) =>
      valuesOf<Directory[Kind][number]>(lists.find((one) => one.kind === kind)?.entries);
    return {
      sprints: list('sprints'),
      filters: list('filters'),
      groups: list('groups'),
      fields: list('fields'),
      issueTypes: list('issueTypes'),
      priorities: list('priorities'),
      versions: list('versions'),
      access: list('access'),
      calendars: list('calendars'),
      parameterSets: list('parameterSets'),
      categories: list('categories'),
      delegations: list('delegations'),
    };
  });

  /** Changes lists of these kinds, with the entries that are given for each. */
  const changeLists = (
    lists: readonly (readonly [kind: string, entries: readonly Omit<Entry, 'isListed'>[]])[],
    change: (stored: readonly Entry[], entries: readonly Omit<Entry, 'isListed'>[]) => readonly Entry[],
  ) =>
    documents.changeAll(
      lists.map(([kind]) => kind),
      (stored) =>
        lists.map(([kind, entries], i) => ({ kind, entries: change(stored[i]?.entries ?? [], entries) })),
    );

  return {
    directory: async () => directoryOf(await documents.list()),
    async putDirectory({ access = [], ...others }) {
      const lists = Object.entries(others).map(
        ([kind, values]) => [kind, values.map((value) => ({ id: String(value.id), value }))] as const,
      );
      const rules = access.map((rule) => ({ id: accessId(rule), value: rule }));
      await changeLists(
        [...lists, ['access', rules] as const].filter(([, entries]) => entries.length > 0),
        (stored, entries) => put(stored, entries, (there) => there?.isListed ?? false),
      );
    },
    async replaceDirectory(replaced, others) {
      await changeLists(
        Object.entries(replaced).map(
          ([kind, values]) => [kind, values.map((value) => ({ id: value.id, value }))] as const,
        ),
        (stored, entries) => {
          const ids = new Set(entries.map(({ id }) => id));
          const staying = stored.filter(({ id, isListed }) => others === 'stay' || !isListed || ids.has(id));
          return put(staying, entries, () => true);
        },
      );
    },
    async removeAccess(kind, id) {
      let isThere = false;
      await changeLists([['access', []]], (stored) => {
        const rest = stored.filter((entry) => entry.id !== accessId({ kind, id }));
        isThere = rest.length !== stored.length;
        return rest;
      });
      return isThere;
    },
  };
}

/** Puts entries in place of those of the same ids, or behind all. */
function put(
  stored: readonly Entry[],
  entries: readonly Omit<Entry, 'isListed'>[],
  isListed: (there: Entry | undefined) => boolean,
): readonly Entry[] {
  const byId = new Map(stored.map((entry) => [entry.id, entry]));
  for (const { id, value } of entries) byId.set(id, { id, isListed: isListed(byId.get(id)), value });
  return [...byId.values()];
}

/** The values of a list, which were put as what the list is of, in the order of their ids. */
function valuesOf<Value>(entries: readonly Entry[] = []): readonly Value[] {
  return [...entries].sort((a, b) => compareIds(a.id, b.id)).map(({ value }) => value as Value);
}

/** A project and a security level may have the same id. */
function accessId({ kind, id }: Pick<AccessRule, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
