import { memo } from '../../cache/namespace.ts';
import { type Directory, emptyDirectory, type Group } from '../../model/directory.ts';
import type { Instant, Status, StatusCategory } from '../../model/issue.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import type { Documents } from '../../store/documents.ts';
import type { DirectoryList, StatusList, StatusSettings } from '../../store/tracker-documents.ts';
import type { Membership } from '../../trackers/tracker.ts';

/** A status that a list names otherwise than another source does. */
export interface StatusClash {
  readonly id: string;
  readonly name: string;
  readonly elsewhere: string;
}

/** The category that an admin has set for a status; `by` is the admin, as the door names people. */
export interface SetCategory {
  readonly category: StatusCategory;
  readonly by: string;
  readonly at: Instant;
}

/** The lists of a tracker: statuses, groups, sprints and the like. */
export interface TrackerLists {
  /** Returns statuses by id, with the categories that admins have set where the tracker gives none. */
  statuses(): Promise<ReadonlyMap<string, Status>>;
  /** Returns the categories that admins have set, by status id, also where the tracker gives one by now. */
  setCategories(): Promise<ReadonlyMap<string, SetCategory>>;
  /** Sets the category of a status or, with null, takes it back. Earlier categories stay in the store, with admin and instant. */
  putCategory(
    status: string,
    category: StatusCategory | null,
    saving: Pick<SetCategory, 'by' | 'at'>,
  ): Promise<void>;
  /**
   * Writes statuses. `list` names the list that has exactly these; they replace its earlier ones. Null: issues mention
   * them. A status is deleted when there is a list and none has it.
   */
  putStatuses(statuses: readonly Status[], list: string | null): Promise<void>;
  /** Finds statuses that this list names otherwise than another list, or than issues in the status. */
  clashes(list: string): Promise<readonly StatusClash[]>;
  /** Returns the lists of the tracker; a list that was never put is empty. */
  directory(): Promise<Directory>;
  /** Adds to the lists, replacing entries of the same id (of access rules: of the same kind and id). */
  putDirectory(part: Partial<Directory>): Promise<void>;
  /**
   * Replaces the entries of the tracker's own lists. Earlier entries go, or stay where a list came in part; entries that
   * only `putDirectory` has put stay.
   */
  replaceDirectory(
    lists: Partial<Pick<Directory, 'sprints' | 'filters' | 'groups' | 'fields'>>,
    others: 'go' | 'stay',
  ): Promise<void>;
  /** Removes an access rule; false when there is none. */
  removeAccess(kind: 'project' | 'level', id: string): Promise<boolean>;
  /** Returns the facts of values in histories as text; null before the first ones. */
  historyValues(): Promise<string | null>;
  putHistoryValues(text: string): Promise<void>;
  filledAt(): Promise<Instant | null>;
  putFilledAt(at: Instant): Promise<void>;
}

type StatusEntry = StatusList['statuses'][number];

/** The id of the document with the statuses that only issues mention. */
const MENTIONED = '';

/** Opens the statuses of one tracker, as its lists have them and as issues mention them. */
export function openStatusLists(
  documents: Documents<StatusList>,
  settings: Documents<StatusSettings>,
): Pick<TrackerLists, 'statuses' | 'setCategories' | 'putCategory' | 'putStatuses' | 'clashes'> {
  const setOf = memo(
    (all: readonly StatusSettings[]): ReadonlyMap<string, SetCategory> =>
      new Map(
        all.flatMap(({ status, settings }) =>
          settings
            .slice(-1)
            .flatMap(({ category, by, at }) =>
              category === null ? [] : [[status, { category, by, at }] as const],
            ),
        ),
      ),
  );
  const statusesOf = memo((all: readonly StatusList[]) =>
    memo((set: ReadonlyMap<string, SetCategory>) => withCategories(statusesIn(all), set)),
  );
  const setCategories = async () => setOf(await settings.list());

  return {
    statuses: async () => statusesOf(await documents.list())(await setCategories()),
    setCategories,
    async putCategory(status, category, { by, at }) {
      await settings.change(status, (stored) => ({
        status,
        settings: [...(stored?.settings ?? []), { category, by, at }],
      }));
    },
    async putStatuses(statuses, list) {
      if (list === null) {
        await documents.change(MENTIONED, (stored, all) => ({
          list: MENTIONED,
          statuses: merged(stored?.statuses ?? [], statuses, all, isBetter),
        }));
        return;
      }
      const staying = new Set(statuses.map(({ id }) => id));
      await documents.changeAll([MENTIONED, list], ([mentioned = null, stored = null], all) => {
        // A status that leaves the list keeps the name it had there.
        const going = (stored?.statuses ?? []).filter(({ id }) => !staying.has(id));
        const isUndefined = (before: StatusEntry) => before.category === 'Undefined';
        const mentions = merged(mentioned?.statuses ?? [], going, all, isUndefined);
        const others = [
          ...all.filter((one) => one.list !== MENTIONED),
          { list: MENTIONED, statuses: mentions },
        ];
        const next = merged([], statuses, others, isBetter);
        return [
          mentions.length === 0 ? mentioned : { list: MENTIONED, statuses: mentions },
          stored !== null && isLastAndSame(stored, next, all) ? stored : { list, statuses: next },
        ];
      });
    },
    async clashes(list) {
      const all = entriesIn(await documents.list());
      return all
        .filter((own) => own.list === list)
        .flatMap((own) =>
          all.flatMap((other) =>
            other.id === own.id &&
            other.list !== list &&
            other.name !== own.name &&
            // An issue has the category of its status; a name without one was mentioned in some change.
            (other.list !== MENTIONED || other.category !== 'Undefined')
              ? [{ id: own.id, name: own.name, elsewhere: other.name }]
              : [],
          ),
        );
    },
  };
}

/** A bare name does not replace a category. */
function isBetter(before: Pick<StatusEntry, 'category'>, received: Pick<StatusEntry, 'category'>): boolean {
  return received.category !== 'Undefined' || before.category === 'Undefined';
}

/** The entries of all lists, in the order in which they came first. */
const entriesIn = memo((all: readonly StatusList[]) =>
  all
    .flatMap(({ list, statuses }) => statuses.map((entry) => ({ ...entry, list })))
    .sort((a, b) => a.place - b.place),
);

function statusesIn(all: readonly StatusList[]): ReadonlyMap<string, Status> {
  const entries = entriesIn(all);
  const lists = new Set(entries.flatMap(({ list }) => (list === MENTIONED ? [] : [list]))).size;
  const statuses = new Map<string, Status>();
  // A list has precedence over issues, and a later list over an earlier one.
  for (const entry of entries) {
    if (entry.list !== MENTIONED || !statuses.has(entry.id)) statuses.set(entry.id, statusOf(entry, lists));
  }
  return statuses;
}

function withCategories(
  statuses: ReadonlyMap<string, Status>,
  set: ReadonlyMap<string, SetCategory>,
): ReadonlyMap<string, Status> {
  const all = new Map(statuses);
  for (const [id, { category }] of set) {
    const status = all.get(id);
    // A category of the tracker itself has precedence.
    if (status?.category === 'Undefined') all.set(id, { ...status, category, categorySource: 'admin' });
  }
  return all;
}

/** Puts statuses in place of those of the same ids where they replace these, and others behind those of all lists. */
function merged(
  stored: readonly StatusEntry[],
  statuses: readonly (Pick<Status, 'id' | 'name' | 'category'> & { readonly scope?: string | null })[],
  all: readonly StatusList[],
  isReplaced: (before: StatusEntry, received: Pick<Status, 'category'>) => boolean,
): readonly StatusEntry[] {
  let last = lastPlace([...all.flatMap((one) => one.statuses), ...stored]);
  const byId = new Map(stored.map((entry) => [entry.id, entry]));
  for (const { id, name, category, scope = null } of statuses) {
    const before = byId.get(id);
    if (before !== undefined && !isReplaced(before, { category })) continue;
    if (before === undefined) last += 1;
    byId.set(id, { id, name, category, scope, place: before?.place ?? last });
  }
  return [...byId.values()];
}

/** Returns true where a list has the same statuses as before and no other list was put after it. */
function isLastAndSame(
  stored: StatusList,
  next: readonly StatusEntry[],
  all: readonly StatusList[],
): boolean {
  const lists = all.flatMap((one) => (one.list === MENTIONED ? [] : one.statuses));
  const textOf = (entries: readonly StatusEntry[]) =>
    JSON.stringify(entries.map(({ place, ...entry }) => entry));
  return lastPlace(lists) === lastPlace(stored.statuses) && textOf(stored.statuses) === textOf(next);
}

function lastPlace(entries: readonly StatusEntry[]): number {
  return entries.reduce((last, { place }) => Math.max(last, place), 0);
}

function statusOf(
  { id, name, category, scope, list }: StatusEntry & { readonly list: string },
  lists: number,
): Status {
  const deleted = lists > 0 && list === MENTIONED;
  return {
    id,
    name,
    category,
    deleted,
    ...(deleted ? { unlisted: true } : {}),
    // Several lists may be of several sites, each with names of its own for the same ids.
    listed: lists === 1 && list !== MENTIONED,
    ...(scope === null ? {} : { scope }),
  };
}

type ListEntry = DirectoryList['entries'][number];
type ReceivedListEntry = Omit<ListEntry, 'isListed'>;

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
    change: (stored: readonly ListEntry[], received: readonly ReceivedListEntry[]) => readonly ListEntry[],
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
  stored: readonly ListEntry[],
  received: readonly ReceivedListEntry[],
  isListed: (before: ListEntry | undefined) => boolean,
): readonly ListEntry[] {
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
