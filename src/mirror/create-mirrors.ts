import { millisecondsInDay } from 'date-fns/constants';
import { memo } from '../cache/namespace.ts';
import { type Directory, emptyDirectory } from '../model/directory.ts';
import { AppError } from '../model/error.ts';
import type { Instant, Issue, Status, User } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';
import { type SyncProgress, syncCommand } from '../model/sync.ts';
import { progressText, stillText } from '../output/sync-text.ts';
import type { Membership, Tracker } from '../trackers/tracker.ts';
import type { PermissionsFor } from './browse-permissions.ts';
import { addToDirectory, joinGroups } from './fill.ts';
import { type IssueTable, tableOf } from './issue-table.ts';
import type { TrackerIssues } from './lists/tracker-issues.ts';
import type { Mirror, UnreadIssue } from './mirror.ts';
import { createStoreTable } from './store-table.ts';

interface Content {
  readonly day: number;
  readonly issues: ReadonlyMap<string, Issue>;
  readonly byUpdate: readonly Issue[];
  /** Made when it is first asked for. */
  readonly table: () => IssueTable;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
  readonly directory: Directory;
}

/** The mirror of a tracker that makes up its issues again each (UTC) day: nothing is kept but the day's content. */
export function createMemoryMirror(tracker: Tracker, now: () => Instant): Mirror {
  const contentOf = memo((day: number) => load(tracker, day));
  const today = (): Promise<Content> => contentOf(Math.floor(now() / millisecondsInDay));
  return {
    tracker: async () => tracker.name,
    filledAt: async () => null,
    issue: async (key) => (await today()).issues.get(key.toUpperCase()) ?? null,
    formerKeys: async () => new Map(),
    table: async () => (await today()).table(),
    settled: async () => {},
    directory: async () => (await today()).directory,
    directoryFor: async () => ({ ...(await today()).directory, permissions: null }),
    statuses: async () => (await today()).statuses,
    users: async (ids) => chosen((await today()).users, ids),
    mark: async () => String((await today()).day),
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
    if (listKnown && !status.listed) statuses.set(id, { ...status, deleted: true, unlisted: true });
  }
  const byUpdate = [...issues.values()].sort((a, b) => b.updated - a.updated || (a.key < b.key ? -1 : 1));
  let table: IssueTable | null = null;
  const made = () => {
    table ??= tableOf([...issues.values()]);
    return table;
  };
  return { day, issues, byUpdate, table: made, statuses, users, directory };
}

function chosen(users: ReadonlyMap<string, User>, ids?: Iterable<string>): ReadonlyMap<string, User> {
  if (ids === undefined) return users;
  const wanted = new Set(ids);
  return new Map([...users].filter(([id]) => wanted.has(id)));
}

/**
 * The mirror of a tracker whose issues are kept in a store; another process's import shows at once. Without a `table`
 * it has one of its own, which every start makes from the store.
 */
export function createStoreMirror(
  name: string,
  store: TrackerIssues,
  table: Mirror['table'] = createStoreTable({
    store,
    snapshot: null,
    now: () => 0,
    onProblem: () => {},
  }).table,
): Mirror {
  return {
    tracker: async () => name,
    filledAt: () => store.filledAt(),
    issue: (key) => store.issue(key),
    formerKeys: () => store.formerKeys(),
    table,
    settled: async () => {},
    directory: () => store.directory(),
    directoryFor: async () => ({ ...(await store.directory()), permissions: null }),
    statuses: () => store.statuses(),
    users: (ids) => store.users(ids),
    mark: () => store.mark(),
    recentKeys: (count) => store.recentKeys(count),
  };
}

/** What a mirror that is kept fresh is made from, besides the store. */
interface SyncedMirrorParts {
  /** The tracker's name as people read it. */
  readonly title: string;
  /** Every question needs it: nothing is counted for it. */
  readonly progress: () => Promise<SyncProgress | null>;
  /** Why nothing that is kept may be shown, in a sentence; null: it may. */
  readonly refusal: () => Promise<string | null>;
  readonly unread?: () => Promise<readonly UnreadIssue[]>;
  /** Null: rules of ours decide who sees what. */
  readonly permissionsFor: PermissionsFor | null;
  /** Told why the tracker could not be asked what somebody may see; principals are not, for it names what is not theirs to know. */
  readonly onPermissionsError: (error: AppError) => void;
}

/** The mirror of a tracker that is kept fresh. `table` is of all the store's issues. */
export function createSyncedMirror(
  name: string,
  store: TrackerIssues & Pick<Mirror, 'table'>,
  {
    title,
    progress,
    refusal,
    unread = async () => [],
    permissionsFor,
    onPermissionsError,
  }: SyncedMirrorParts,
): Mirror {
  const permissionsOf = async (principal: Principal) => {
    try {
      return (await permissionsFor?.(principal)) ?? null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      onPermissionsError(error);
      throw permissionsError(error, title);
    }
  };
  const failIfRefused = async () => {
    const why = await refusal();
    if (why !== null) throw new AppError('tracker-unavailable', why);
  };
  const unlessRefused = async <Kept>(kept: () => Promise<Kept>): Promise<Kept> => {
    await failIfRefused();
    return kept();
  };
  const formerKeys = () => store.formerKeys();
  const settled = async () => {
    await failIfRefused();
    const current = await progress();
    if (current === null || !current.filled) throw new AppError('not-filled-yet', progressSentence(current));
  };
  return {
    tracker: async () => name,
    filledAt: async () => (await progress())?.asOf ?? null,
    issue: (key) => unlessRefused(() => store.issue(key)),
    formerKeys: () => unlessRefused(formerKeys),
    async table() {
      await settled();
      return store.table();
    },
    settled,
    unread,
    directory: () => unlessRefused(() => store.directory()),
    async directoryFor(principal) {
      await failIfRefused();
      const [directory, permissions] = await Promise.all([store.directory(), permissionsOf(principal)]);
      return { ...directory, permissions };
    },
    statuses: () => unlessRefused(() => store.statuses()),
    users: (ids) => unlessRefused(() => store.users(ids)),
    mark: () => unlessRefused(() => store.mark()),
    recentKeys: (count) => unlessRefused(() => store.recentKeys(count)),
  };
}

function permissionsError(cause: AppError, title: string): AppError {
  if (cause.reason === 'tracker-permission-missing') {
    return new AppError(
      cause.reason,
      `Dwell's ${title} account cannot read who can see what, so no issues are shown.`,
      cause.details,
      { cause },
    );
  }
  return new AppError(
    'tracker-unavailable',
    `Your permissions in ${title} cannot be checked at the moment.`,
    [`On the server, \`${syncCommand}\` shows why.`],
    { cause },
  );
}

function progressSentence(progress: SyncProgress | null): string {
  const { site = '', done = 0, total = null, problem = null, comparedAt = null } = progress ?? {};
  const what = comparedAt === null ? 'The initial sync' : 'The sync after a change of the query';
  const fill = site === '' ? what : `${what} from ${site}`;
  const single = done === 0 ? '' : ' You can already ask about single issues that are stored.';
  return problem === null
    ? `${fill} is under way: ${progressText({ done, total })}.${single}`
    : `${fill} ${stillText({ done, total })}; on the server, \`${syncCommand}\` shows why.${single}`;
}

/** What every question is answered from where there is nothing else. */
export function onlyMirror(mirror: Mirror): () => Promise<Mirror> {
  return async () => mirror;
}

/**
 * The first mirror once it has been filled, the second until then. Looked at again with every question, so that a
 * running Dwell turns to the imported issues as soon as an import is done; a question keeps the one it started with.
 */
export function preferFilled(first: Mirror, second: Mirror): () => Promise<Mirror> {
  return async () => ((await first.filledAt()) === null ? second : first);
}
