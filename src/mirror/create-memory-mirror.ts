import { millisecondsInDay } from 'date-fns/constants';
import { memo } from '../cache/memo.ts';
import { type Directory, emptyDirectory } from '../model/directory.ts';
import type { Instant, Issue, Status, User } from '../model/issue.ts';
import type { Membership, Tracker } from '../trackers/tracker.ts';
import { addToDirectory } from './add-to-directory.ts';
import { compareByCreation } from './compare-by-creation.ts';
import { joinGroups } from './join-groups.ts';
import type { Mirror } from './mirror.ts';

interface Content {
  readonly day: number;
  readonly issues: ReadonlyMap<string, Issue>;
  readonly byUpdate: readonly Issue[];
  readonly byCreation: readonly Issue[];
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
  readonly directory: Directory;
}

/** The mirror of a tracker that invents its issues anew each (UTC) day: nothing is kept but the day's content. */
export function createMemoryMirror(tracker: Tracker, now: () => Instant): Mirror {
  const contentOf = memo((day: number) => load(tracker, day));
  const today = (): Promise<Content> => contentOf(Math.floor(now() / millisecondsInDay));
  return {
    tracker: async () => tracker.name,
    filledAt: async () => null,
    issue: async (key) => (await today()).issues.get(key.toUpperCase()) ?? null,
    formerKeys: async () => new Map(),
    issues: async () => (await today()).byCreation,
    settled: async () => {},
    directory: async () => (await today()).directory,
    directoryFor: async () => ({ ...(await today()).directory, sight: null }),
    statuses: async () => (await today()).statuses,
    users: async (ids) => chosen((await today()).users, ids),
    recentKeys: async (count) => (await today()).byUpdate.slice(0, count).map((issue) => issue.key),
  };
}

async function load(tracker: Tracker, day: number): Promise<Content> {
  const issues = new Map<string, Issue>();
  const statuses = new Map<string, Status>();
  const users = new Map<string, User>();
  let directory = emptyDirectory;
  const memberships: Membership[] = [];
  let listKnown = false;
  for await (const entry of tracker.entries()) {
    if (entry.kind === 'issue') issues.set(entry.issue.key, entry.issue);
    if (entry.kind === 'users') for (const user of entry.users) users.set(user.id, user);
    if (entry.kind === 'membership') memberships.push(entry.membership);
    if (entry.kind === 'directory') directory = addToDirectory(directory, entry.part);
    if (entry.kind === 'statuses') {
      listKnown ||= entry.list !== null;
      for (const status of entry.statuses) {
        const listed = entry.list !== null && !status.deleted;
        if (listed || !statuses.get(status.id)?.listed) statuses.set(status.id, { ...status, listed });
      }
    }
  }
  directory = { ...directory, groups: joinGroups([], directory.groups, memberships) };
  for (const [id, status] of statuses) {
    if (listKnown && !status.listed) statuses.set(id, { ...status, deleted: true });
  }
  const byUpdate = [...issues.values()].sort((a, b) => b.updated - a.updated || (a.key < b.key ? -1 : 1));
  const byCreation = [...issues.values()].sort(compareByCreation);
  return { day, issues, byUpdate, byCreation, statuses, users, directory };
}

function chosen(users: ReadonlyMap<string, User>, ids?: Iterable<string>): ReadonlyMap<string, User> {
  if (ids === undefined) return users;
  const wanted = new Set(ids);
  return new Map([...users].filter(([id]) => wanted.has(id)));
}
