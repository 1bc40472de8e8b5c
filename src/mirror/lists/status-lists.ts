import { memo } from '../../cache/namespace.ts';
import type { Status } from '../../model/issue.ts';
import type { Documents } from '../../store/documents.ts';
import type { StatusList, StatusSettings } from '../../store/tracker-documents.ts';
import type { SetCategory, TrackerLists } from './tracker-lists.ts';

type Entry = StatusList['statuses'][number];

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
        const isUndefined = (before: Entry) => before.category === 'Undefined';
        const rest = merged(mentioned?.statuses ?? [], going, all, isUndefined);
        const others = [...all.filter((one) => one.list !== MENTIONED), { list: MENTIONED, statuses: rest }];
        const next = merged([], statuses, others, isBetter);
        return [
          rest.length === 0 ? mentioned : { list: MENTIONED, statuses: rest },
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
function isBetter(before: Pick<Entry, 'category'>, received: Pick<Entry, 'category'>): boolean {
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
  stored: readonly Entry[],
  statuses: readonly (Pick<Status, 'id' | 'name' | 'category'> & { readonly scope?: string | null })[],
  all: readonly StatusList[],
  isReplaced: (before: Entry, received: Pick<Status, 'category'>) => boolean,
): readonly Entry[] {
  let place = lastPlace([...all.flatMap((one) => one.statuses), ...stored]);
  const byId = new Map(stored.map((entry) => [entry.id, entry]));
  for (const { id, name, category, scope = null } of statuses) {
    const before = byId.get(id);
    if (before !== undefined && !isReplaced(before, { category })) continue;
    if (before === undefined) place += 1;
    byId.set(id, { id, name, category, scope, place: before?.place ?? place });
  }
  return [...byId.values()];
}

/** Returns true where a list has the same statuses as before and no other list was put after it. */
function isLastAndSame(stored: StatusList, next: readonly Entry[], all: readonly StatusList[]): boolean {
  const lists = all.flatMap((one) => (one.list === MENTIONED ? [] : one.statuses));
  const textOf = (entries: readonly Entry[]) => JSON.stringify(entries.map(({ place, ...entry }) => entry));
  return lastPlace(lists) === lastPlace(stored.statuses) && textOf(stored.statuses) === textOf(next);
}

function lastPlace(entries: readonly Entry[]): number {
  return entries.reduce((last, { place }) => Math.max(last, place), 0);
}

function statusOf(
  { id, name, category, scope, list }: Entry & { readonly list: string },
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
