import { millisecondsInDay } from 'date-fns/constants';
import { memo } from '../cache/namespace.ts';
import type { Directory } from '../model/directory.ts';
import { AppError } from '../model/error.ts';
import type { Instant, Issue, Status, User } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';
import { type SyncProgress, syncCommand } from '../model/sync.ts';
import { progressText, stillText } from '../output/sync-text.ts';
import type { Membership, Tracker } from '../trackers/tracker.ts';
import type { PermissionsFor } from './browse-permissions.ts';
import { tableOf } from './issue-table.ts';
import type { TrackerIssues } from './lists/tracker-issues.ts';
import { joinDirectory, joinGroups } from './lists/tracker-lists.ts';
import type { Mirror, UnreadIssue } from './mirror.ts';
import { createStoreTable } from './store-table.ts';

/** A tracker may hand out the very same entries again, and every mirror of them has the same content and table. */
const contentOf = memo(load);
const tableFor = memo((issues: ReadonlyMap<string, Issue>) => tableOf([...issues.values()]));

/** The mirror of a tracker that makes up its issues again each (UTC) day: only the content of the day is in memory. */
export function createMemoryMirror(tracker: Tracker, now: () => Instant): Mirror {
  const contentOn = memo((_day: number) => contentOf(tracker.entries()));
  const day = () => Math.floor(now() / millisecondsInDay);
  const today = () => contentOn(day());
  return {
    tracker: async () => tracker.name,
    filledAt: async () => null,
    issue: async (key) => (await today()).issues.get(key.toUpperCase()) ?? null,
    formerKeys: async () => new Map(),
    table: async () => tableFor((await today()).issues),
    settled: async () => {},
    directory: async () => (await today()).directory,
    directoryFor: async () => ({ ...(await today()).directory, permissions: null }),
    statuses: async () => (await today()).statuses,
    async users(ids) {
      const { users } = await today();
      if (ids === undefined) return users;
      const wanted = new Set(ids);
      return new Map([...users].filter(([id]) => wanted.has(id)));
    },
    mark: async () => String(day()),
    recentKeys: async (count) => (await today()).byUpdate.slice(0, count).map((issue) => issue.key),
  };
}

async function load(entries: ReturnType<Tracker['entries']>) {
  const issues = new Map<string, Issue>();
  const statuses = new Map<string, Status>();
  const users = new Map<string, User>();
  const parts: Partial<Directory>[] = [];
  const memberships: Membership[] = [];
  let listKnown = false;
  for await (const entry of entries) {
    if (entry.kind === 'issue') issues.set(entry.issue.key, entry.issue);
    if (entry.kind === 'users') for (const user of entry.users) users.set(user.id, user);
    if (entry.kind === 'membership') memberships.push(entry.membership);
    if (entry.kind === 'directory') parts.push(entry.part);
    if (entry.kind === 'statuses') {
      listKnown ||= entry.list !== null;
      for (const status of entry.statuses) {
        const listed = entry.list !== null && !status.deleted;
        if (listed || !statuses.get(status.id)?.listed) statuses.set(status.id, { ...status, listed });
      }
    }
  }
  const lists = joinDirectory(parts);
  const directory = { ...lists, groups: joinGroups([], lists.groups, memberships) };
  for (const [id, status] of statuses) {
    if (listKnown && !status.listed) statuses.set(id, { ...status, deleted: true, unlisted: true });
  }
  const byUpdate = [...issues.values()].sort((a, b) => b.updated - a.updated || (a.key < b.key ? -1 : 1));
  return { issues, byUpdate, statuses, users, directory };
}

/**
 * The mirror of a tracker whose issues are in a store; another process's import shows at once. Without a `table` it has
 * one of its own, which every start makes from the store.
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
  const { filledAt, issue, formerKeys, directory, statuses, users, mark, recentKeys } = store;
  return {
    filledAt,
    issue,
    formerKeys,
    directory,
    statuses,
    users,
    mark,
    recentKeys,
    table,
    tracker: async () => name,
    settled: async () => {},
    directoryFor: async () => ({ ...(await directory()), permissions: null }),
  };
}

/** The parts of a mirror that follows a tracker, besides the store. */
interface SyncedMirrorParts {
  /** The tracker's name as people read it. */
  readonly title: string;
  /** Every question needs the progress, so that nothing is counted for it. */
  readonly progress: () => Promise<SyncProgress | null>;
  /** Returns a sentence why no stored issue may be shown; null: they may. */
  readonly refusal: () => Promise<string | null>;
  readonly unread?: () => Promise<readonly UnreadIssue[]>;
  /** Null: Dwell's own rules decide who sees which issues. */
  readonly permissionsFor: PermissionsFor | null;
  /** Called with the reason why the tracker did not give the permissions of a person, which is not shown to that person. */
  readonly onPermissionsError: (error: AppError) => void;
}

/** The mirror of a tracker that a sync follows. `table` has all issues of the store. */
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
  /** The same operation, which fails while no stored issue may be shown. */
  const unlessRefused =
    <Input extends readonly unknown[], Result>(operation: (...input: Input) => Promise<Result>) =>
    async (...input: Input): Promise<Result> => {
      const text = await refusal();
      if (text !== null) throw new AppError('tracker-unavailable', text);
      return operation(...input);
    };
  const settled = unlessRefused(async () => {
    const current = await progress();
    if (current === null || !current.filled) throw new AppError('not-filled-yet', progressSentence(current));
  });
  return {
    tracker: async () => name,
    filledAt: async () => (await progress())?.asOf ?? null,
    issue: unlessRefused(store.issue),
    formerKeys: unlessRefused(store.formerKeys),
    async table() {
      await settled();
      return store.table();
    },
    settled,
    unread,
    directory: unlessRefused(store.directory),
    directoryFor: unlessRefused(async (principal) => {
      const [directory, permissions] = await Promise.all([store.directory(), permissionsOf(principal)]);
      return { ...directory, permissions };
    }),
    statuses: unlessRefused(store.statuses),
    users: unlessRefused(store.users),
    mark: unlessRefused(store.mark),
    recentKeys: unlessRefused(store.recentKeys),
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
  const sync = comparedAt === null ? 'The initial sync' : 'The sync after a change of the query';
  const fill = site === '' ? sync : `${sync} from ${site}`;
  const single = done === 0 ? '' : ' You can already ask about single issues that are stored.';
  return problem === null
    ? `${fill} is under way: ${progressText({ done, total })}.${single}`
    : `${fill} ${stillText({ done, total })}; on the server, \`${syncCommand}\` shows why.${single}`;
}

/** The choice between mirrors where there is a single one. */
export function onlyMirror(mirror: Mirror): () => Promise<Mirror> {
  return async () => mirror;
}

/**
 * The first mirror once it has been filled, the second until then. Every question chooses again, so that a running Dwell
 * turns to the imported issues as soon as an import is done; a question goes on with the mirror it started with.
 */
export function preferFilled(first: Mirror, second: Mirror): () => Promise<Mirror> {
  return async () => ((await first.filledAt()) === null ? second : first);
}
