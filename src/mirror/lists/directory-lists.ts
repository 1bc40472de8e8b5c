import { memo } from '../../cache/namespace.ts';
import { type Directory, emptyDirectory, type Group } from '../../model/directory.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import type { Documents } from '../../store/documents.ts';
import type { DirectoryList } from '../../store/tracker-documents.ts';
import type { Membership } from '../../trackers/tracker.ts';
import type { TrackerLists } from './tracker-lists.ts';

type Entry = DirectoryList['entries'][number];
type ReceivedEntry = Omit<Entry, 'isListed'>;

/** Opens the lists of one tracker, such as groups and sprints: a document for each list. */
export function openDirectoryLists(
  documents: Documents<DirectoryList>,
): Pick<TrackerLists, 'directory' | 'putDirectory' | 'replaceDirectory' | 'removeAccess'> {
  const directoryOf = memo((lists: readonly DirectoryList[]): Directory => {
    const byKind = Object.keys(emptyDirectory).map((kind) => [
      kind,
      (lists.find((list) => list.kind === kind)?.entries ?? [])
        .toSorted((a, b) => compareIds(a.id, b.id))
        .map(({ value }) => value),
    ]);
    return Object.fromEntries(byKind);
  });

  /** Changes each list of a part of the directory by the entries that the part has of it. */
  const changeLists = (
    part: Partial<Directory>,
    change: (stored: readonly Entry[], received: readonly ReceivedEntry[]) => readonly Entry[],
  ) => {
    const lists = Object.entries(part);
    return documents.changeAll(
      lists.map(([kind]) => kind),
      (stored) =>
        lists.map(([kind, values], i) => {
          const received = values.map((value) => ({ id: entryId(kind, value), value }));
          return { kind, entries: change(stored[i]?.entries ?? [], received) };
        }),
    );
  };

  return {
    directory: async () => directoryOf(await documents.list()),
    async putDirectory(part) {
      const lists = Object.entries(part).filter(([, values]) => values.length > 0);
      await changeLists(Object.fromEntries(lists), (stored, received) =>
        put(stored, received, (before) => before?.isListed ?? false),
      );
    },
    async replaceDirectory(lists, others) {
      await changeLists(lists, (stored, received) => {
        const ids = new Set(received.map(({ id }) => id));
        const staying = stored.filter(({ id, isListed }) => others === 'stay' || !isListed || ids.has(id));
        return put(staying, received, () => true);
      });
    },
    async removeAccess(kind, id) {
      let isRemoved = false;
      await changeLists({ access: [] }, (stored) => {
        const others = stored.filter((entry) => entry.id !== entryId('access', { kind, id }));
        isRemoved = others.length !== stored.length;
        return others;
      });
      return isRemoved;
    },
  };
}

/** Puts entries in place of those of the same ids, or behind all. */
function put(
  stored: readonly Entry[],
  received: readonly ReceivedEntry[],
  isListed: (before: Entry | undefined) => boolean,
): readonly Entry[] {
  const byId = new Map(stored.map((entry) => [entry.id, entry]));
  for (const { id, value } of received) byId.set(id, { id, isListed: isListed(byId.get(id)), value });
  return [...byId.values()];
}

/** The id under which a list has a value; a project and a security level may have the same id. */
function entryId(
  list: string,
  { id, kind }: { readonly id: string | number | null; readonly kind?: string },
): string {
  return list === 'access' ? `${kind} ${id}` : String(id);
}

/** The lists of all parts together, each by id; of entries with the same id the last one counts. */
export function joinDirectory(parts: readonly Partial<Directory>[]): Directory {
  const lists = new Map<string, Map<string, unknown>>();
  for (const [kind, values] of parts.flatMap((part) => Object.entries(part))) {
    const byId = lists.get(kind) ?? new Map<string, unknown>();
    for (const value of values) byId.set(entryId(kind, value), value);
    lists.set(kind, byId);
  }
  const sorted = [...lists].map(([kind, byId]) => [
    kind,
    [...byId].sort(([a], [b]) => compareIds(a, b)).map(([, value]) => value),
  ]);
  return { ...emptyDirectory, ...Object.fromEntries(sorted) };
}

/**
 * The groups from now on. A received group replaces the stored one; a membership adds its person to the groups it names
 * and, where it is whole, takes the person out of every other stored one. What is received together adds up.
 */
export function joinGroups(
  stored: readonly Group[],
  received: readonly Group[],
  memberships: readonly Membership[],
): Group[] {
  const leaving = new Set(memberships.flatMap(({ user, whole }) => (whole ? [user] : [])));
  const groups = new Map<string, { readonly name: string; readonly members: Set<string> }>();
  for (const { id, name, members } of stored) {
    groups.set(id, { name, members: new Set(members.filter((member) => !leaving.has(member))) });
  }
  for (const { id, name, members } of received) groups.set(id, { name, members: new Set(members) });
  for (const { user, groups: joined } of memberships) {
    for (const { id, name } of joined) {
      const members = groups.get(id)?.members ?? new Set();
      groups.set(id, { name, members: members.add(user) });
    }
  }
  return [...groups].map(([id, { name, members }]) => ({ id, name, members: [...members] }));
}
