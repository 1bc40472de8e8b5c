import { millisecondsInMinute } from 'date-fns/constants';
import { createNamespace, singleFlight } from '../cache/namespace.ts';
import { createYieldIfDue, detached } from '../concurrency/cooperative-yield.ts';
import type { Group } from '../model/directory.ts';
import { isPseudonym } from '../model/erasure.ts';
import { AppError } from '../model/error.ts';
import type { FieldContent, Instant, Issue, User } from '../model/issue.ts';
import { isCustomField } from '../model/issues/field-titles.ts';
import { type BrowsePermissions, type Principal, principalIn } from '../model/request.ts';
import type {
  AccessOf,
  Browsable,
  FoundPermissions,
  ListedIssue,
  LiveTracker,
  SingleIssue,
} from '../trackers/live-tracker.ts';
import { type IssueTable, tableOf } from './issue-table.ts';
import type { TrackerIssues } from './lists/tracker-issues.ts';

/** The time (ms) for which an answer of the tracker is good, as long as no issue or project is new. */
const GOOD_FOR_MS = 5 * millisecondsInMinute;

/**
 * The time (ms) for which an answer that took many requests is good, while a new one is requested in the background.
 */
const SLOW_GOOD_FOR_MS = 15 * millisecondsInMinute;
const MANY_REQUESTS = 50;

/** The number of rows that are read between two checks of the time slice. */
const ROWS_AT_ONCE = 4096;

/** The time (ms) for which new issues and projects stay closed. */
const REQUESTED_AGAIN_MS = 30_000;

/** The number of principals whose answers are cached. */
const MAX_PRINCIPALS = 300;

/** The parts that find browse permissions. `table` has the stored issues, also while the first fill goes on. */
interface PermissionsParts {
  readonly tracker: Pick<LiveTracker, 'permissions'>;
  readonly table: () => Promise<IssueTable>;
  readonly users: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  readonly groups: () => Promise<readonly Group[]>;
  /** Returns the stored answers to who can browse a project; absent: there are none. */
  readonly access?: () => Promise<AccessOf>;
  readonly now: () => Instant;
}

/**
 * Returns what a principal can browse, and fails as the tracker does. A person whom the tracker does not know, or who was
 * erased, sees nothing; no request is sent for an admin, to whom everything is open.
 */
export type PermissionsFor = (principal: Principal) => Promise<BrowsePermissions>;

/** The tracker's answer about everything. */
interface Found {
  readonly whole: FoundPermissions;
}

/** The same with the answers since then about new issues and projects. */
interface Latest {
  /** The instant of the last request. */
  readonly at: Instant;
  readonly about: PermissionQuestion;
  readonly permissions: FoundPermissions;
}

const nothing: BrowsePermissions = {
  projects: new Set(),
  closedProjects: new Set(),
  issues: new Set(),
  unasked: 0,
};

/** Requests the permissions of a principal from the tracker, once at a time for each, and caches them for some minutes. */
export function createBrowsePermissions({
  tracker,
  table,
  users,
  groups,
  access = async () => () => undefined,
  now,
}: PermissionsParts): PermissionsFor {
  const cached = createNamespace<Found>({
    name: 'browse-permissions',
    ttlMs: ({ whole }) => (whole.requests > MANY_REQUESTS ? SLOW_GOOD_FOR_MS : GOOD_FOR_MS),
    freshMs: GOOD_FOR_MS,
    maxEntries: MAX_PRINCIPALS,
    now,
  });
  const requests = singleFlight<BrowsePermissions>();
  const browsable = rememberBrowsable(table);
  /** The last answer for each principal, also where it has expired. */
  const last = new Map<string, Found>();
  const later = new WeakMap<Found, Latest>();

  async function find(user: string): Promise<BrowsePermissions> {
    const person = (await users([user])).get(user);
    if (person === undefined || isPseudonym(user)) return nothing;
    const found = await cached.getOrMake(user, () => requestAll(person));
    const known = later.get(found);
    if (known === undefined || isYoungerThan(REQUESTED_AGAIN_MS, known.at))
      return known?.permissions ?? found.whole;
    const more = sinceThen(known.about, await browsable(), known.permissions);
    if (more === null) return known.permissions;
    if (more.about.projects.length + more.about.singles.length === 0) {
      later.set(found, { ...known, about: more.question });
      return known.permissions;
    }
    try {
      const at = now();
      const added = await ask(person, more.about);
      const newest = last.get(user);
      // A whole new answer that came meanwhile includes the new issues.
      if (newest !== undefined && newest !== found) return later.get(newest)?.permissions ?? newest.whole;
      const permissions = withMore(known.permissions, more, added);
      later.set(found, { at, about: more.question, permissions });
      return permissions;
    } catch (error) {
      if (error instanceof AppError) return known.permissions;
      throw error;
    }
  }

  async function requestAll(person: User): Promise<Found> {
    const at = now();
    const about = await browsable();
    const answer = await ask(person, about);
    const foundBefore = last.get(person.id);
    const before = foundBefore && later.get(foundBefore)?.permissions;
    // The same answer stays the same value, so that caches by it stay good.
    const whole = before !== undefined && isSame(before, answer) ? before : answer;
    const found = { whole };
    later.set(found, { at, about: about.question, permissions: whole });
    last.delete(person.id);
    last.set(person.id, found);
    if (last.size > MAX_PRINCIPALS) for (const oldest of last.keys().take(1)) last.delete(oldest);
    return found;
  }

  async function ask(person: User, about: Browsable): Promise<FoundPermissions> {
    const own = (await groups()).filter(({ members }) => members.includes(person.id));
    return tracker.permissions(person, own, { ...about, accessOf: await access() });
  }

  /** By a clock that was set back there is no age. */
  function isYoungerThan(ms: number, at: Instant): boolean {
    const age = now() - at;
    return age >= 0 && age < ms;
  }

  return async ({ account, rights }) =>
    rights === 'admin' ? nothing : requests.run(account, () => find(account));
}

function isSame(one: FoundPermissions, other: FoundPermissions): boolean {
  return (
    one.unasked === other.unasked &&
    one.requests > MANY_REQUESTS === other.requests > MANY_REQUESTS &&
    (['projects', 'closedProjects', 'partly', 'issues'] as const).every((part) =>
      hasSame(one[part], other[part]),
    )
  );
}

function hasSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (some.size !== others.size) return false;
  for (const one of some) if (!others.has(one)) return false;
  return true;
}

/**
 * The reason why the tracker does not give permissions, in sentences; null when it does, and while no person or no issue
 * is stored. One person and one issue stand for all.
 */
export async function permissionsError(
  store: Pick<TrackerIssues, 'users' | 'recentKeys' | 'issue' | 'directory'>,
  { tenant, ...parts }: Pick<PermissionsParts, 'tracker' | 'now'> & { readonly tenant: string },
): Promise<string | null> {
  const [key] = await store.recentKeys(1);
  const issue = key === undefined ? null : await store.issue(key);
  const user = (await store.users()).keys().find((id) => !isPseudonym(id));
  if (issue === null || user === undefined) return null;
  const permissionsFor = createBrowsePermissions({
    ...parts,
    table: async () => tableOf([issue]),
    users: store.users,
    groups: async () => (await store.directory()).groups,
  });
  try {
    await permissionsFor(principalIn(tenant, user));
    return null;
  } catch (error) {
    if (error instanceof AppError) return [error.message, ...error.details].join(' ');
    throw error;
  }
}

/** The content of a request for permissions; it keeps no issue in memory. */
interface PermissionQuestion {
  readonly projects: ReadonlySet<string>;
  /** Ids of levels by the keys of issues. */
  readonly levels: ReadonlyMap<string, string | null>;
  readonly lastId: number;
}

/** The new issues and projects; `question` is about them and the earlier ones together. */
interface More {
  readonly about: Browsable;
  readonly question: PermissionQuestion;
}

/**
 * The projects, restricted issues, and issues of projects that are open issue by issue that have come since a request;
 * null: the issues are the very same.
 */
function sinceThen(
  then: PermissionQuestion,
  now: BrowsableIssues,
  permissions: FoundPermissions,
): More | null {
  const { question } = now;
  if (question === then) return null;
  const projects = now.projects.filter((key) => !then.projects.has(key));
  const fresh = new Set(projects);
  const singles = now.singles.filter(
    ({ key, level, project }) =>
      then.levels.get(key) !== level &&
      (fresh.has(project) || permissions.projects.has(project) || permissions.partly.has(project)),
  );
  for (const project of permissions.partly) singles.push(...now.unlevelledAfter(project, then.lastId));
  return { about: { ...now, projects, singles }, question };
}

/** Permissions with those of new issues and projects. */
function withMore(before: FoundPermissions, { about }: More, found: FoundPermissions): FoundPermissions {
  const requested = new Set(about.singles.map(({ key }) => key));
  const issues = new Set([...before.issues].filter((key) => !requested.has(key)));
  return {
    projects: union(before.projects, found.projects),
    closedProjects: union(before.closedProjects, found.closedProjects),
    partly: union(before.partly, found.partly),
    issues: union(issues, found.issues),
    unasked: before.unasked + found.unasked,
    requests: before.requests,
  };
}

function union(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return others.size === 0 ? some : new Set([...some, ...others]);
}

/** The content of requests for permissions, made from some issues. */
interface BrowsableIssues extends Browsable {
  /** The same value for the same issues, which many principals share. */
  readonly question: PermissionQuestion;
  /** Issues without a level of a project that came after the one with this number. */
  readonly unlevelledAfter: (project: string, id: number) => Iterable<ListedIssue>;
}

/** Makes the content of requests for permissions, once for each version of a table. */
function rememberBrowsable(table: () => Promise<IssueTable>): () => Promise<BrowsableIssues> {
  let known: { readonly version: number; readonly found: Promise<BrowsableIssues> } | null = null;
  return async () => {
    const now = await table();
    const { version } = now.columns;
    // The first caller may leave; the others still wait for the result.
    if (known?.version !== version) known = { version, found: detached(() => browsableOf(now)) };
    return known.found;
  };
}

async function browsableOf({ columns, load }: IssueTable): Promise<BrowsableIssues> {
  const pace = createYieldIfDue();
  const classes = columns.classes.all.map(({ projectKey, restriction }) => ({
    project: projectKey.toUpperCase(),
    level: restriction,
  }));
  const rows = columns.rowsByCreation();
  const { accessClass, storeId } = columns.arrays();
  const listed = (row: number): ListedIssue => {
    const { project = '', level = null } = classes[accessClass[row] ?? 0] ?? {};
    return { row, key: columns.keyOf(row).toUpperCase(), project, level };
  };
  const isRestricted = Uint8Array.from(classes, ({ level }) => Number(level !== null));
  const counts = new Uint32Array(classes.length);
  /** The classes in the order of their first issues. */
  const found: number[] = [];
  const singles: ListedIssue[] = [];
  let lastId = 0;
  for (let i = 0; i < rows.length; i += 1) {
    const due = i % ROWS_AT_ONCE === 0 ? pace() : null;
    if (due !== null) await due;
    const row = rows[i] ?? 0;
    const own = accessClass[row] ?? 0;
    // A class that came meanwhile is found with the next version.
    if (own >= classes.length) continue;
    const count = counts[own] ?? 0;
    if (count === 0) found.push(own);
    counts[own] = count + 1;
    lastId = Math.max(lastId, storeId[row] ?? 0);
    if (isRestricted[own] === 1) singles.push(listed(row));
  }
  const unlevelled = new Map<string, number>();
  for (const code of found) {
    const { project = '', level = null } = classes[code] ?? {};
    unlevelled.set(project, (unlevelled.get(project) ?? 0) + (level === null ? (counts[code] ?? 0) : 0));
  }
  function* unlevelledAfter(wanted: string, id: number): Generator<ListedIssue> {
    if (!unlevelled.get(wanted)) return;
    const isOpen = classes.map(({ project, level }) => project === wanted && level === null);
    for (let i = rows.length - 1; i >= 0; i -= 1) {
      const row = rows[i] ?? 0;
      if (isOpen[accessClass[row] ?? 0] === true && (storeId[row] ?? 0) > id) yield listed(row);
    }
  }
  return {
    projects: [...unlevelled.keys()],
    singles,
    unlevelled: (project) => unlevelledAfter(project, 0),
    unlevelledIn: (project) => unlevelled.get(project) ?? 0,
    unlevelledAfter,
    question: {
      projects: new Set(unlevelled.keys()),
      levels: new Map(singles.map(({ key, level }) => [key, level])),
      lastId,
    },
    async lookUp(some) {
      const issues = await load(some.map(({ row }) => row));
      return some.flatMap((one, i): SingleIssue[] => {
        const issue = issues[i];
        return issue?.id === undefined
          ? []
          : [{ ...one, id: issue.id, permissionKey: () => permissionKeyOf(issue) }];
      });
    },
  };
}

/** The tracker's own fields that name people; no other field of its own opens an issue to anyone. */
const peopleFields: readonly string[] = ['assignee', 'creator', 'reporter'];

/** A longer text names no one. */
const MAX_NAME_LENGTH = 255;
/** Matches dates, and ranks, which differ between any two issues. */
const namesNoOne = /^\d{4}-\d\d-\d\d|^\d+\|/;

/**
 * A text that is the same for issues with the same people, groups and options in the same fields: whatever opens one of
 * them to a person opens the others as well. The kind of a field shows in its content only, so every value counts.
 */
function permissionKeyOf({ fields }: Pick<Issue, 'fields'>): string {
  const people = Object.keys(fields)
    .filter((field) => isCustomField(field) || peopleFields.includes(field))
    .sort()
    .flatMap((field): [string, readonly string[]][] => {
      const ids = idsIn(fields[field] ?? null);
      return ids.length === 0 ? [] : [[field, [...ids].sort()]];
    });
  return JSON.stringify(people);
}

function idsIn(content: FieldContent): readonly string[] {
  if (content === null || typeof content === 'number') return [];
  if (typeof content === 'string') {
    return content.length > MAX_NAME_LENGTH || namesNoOne.test(content) ? [] : [content];
  }
  return 'length' in content ? content.map(({ id }) => id) : [content.id];
}
