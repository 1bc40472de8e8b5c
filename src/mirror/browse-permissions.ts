import { millisecondsInMinute } from 'date-fns/constants';
import { createNamespace, singleFlight } from '../cache/namespace.ts';
import { createYieldIfDue, detached } from '../concurrency/cooperative-yield.ts';
import type { Group } from '../model/directory.ts';
import { AppError } from '../model/error.ts';
import type { FieldContent, Instant, Issue, User } from '../model/issue.ts';
import { isCustomField } from '../model/issues/field-titles.ts';
import { type BrowsePermissions, type Principal, principalIn } from '../model/request.ts';
import type {
  Browsable,
  FoundPermissions,
  ListedIssue,
  LiveTracker,
  SingleIssue,
} from '../trackers/live-tracker.ts';
import { type IssueTable, tableOf } from './issue-table.ts';
import type { TrackerIssues } from './lists/tracker-issues.ts';

/** How long an answer of the tracker is good without being asked for again, as long as there is nothing it was not asked about. */
const GOOD_FOR_MS = 5 * millisecondsInMinute;

/** How long an answer that took many requests is good, while it is asked again in the background. */
const SLOW_GOOD_FOR_MS = 15 * millisecondsInMinute;
const MANY_REQUESTS = 50;

/** Rows looked at between two looks at the time slice. */
const ROWS_AT_ONCE = 4096;

/** How long what is new stays closed. */
const ASKED_AGAIN_MS = 30_000;

/** Of so many principals answers are cached. */
const MAX_PRINCIPALS = 300;

/** What browse permissions are found with. `table` is of the issues that are here, also while the first fill goes on. */
interface PermissionsParts {
  readonly tracker: Pick<LiveTracker, 'permissions'>;
  readonly table: () => Promise<IssueTable>;
  readonly users: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  readonly groups: () => Promise<readonly Group[]>;
  readonly now: () => Instant;
}

/**
 * What a principal can browse. Fails as the tracker does when it cannot be asked. A person it does not know sees nothing; of
 * an admin nothing is asked, as nothing is closed to them.
 */
export type PermissionsFor = (principal: Principal) => Promise<BrowsePermissions>;

/** What the tracker said about everything, and since then about what was new. */
interface Found {
  readonly whole: FoundPermissions;
  readonly about: PermissionQuestion;
}

interface Latest {
  /** When the tracker was asked about what was new. */
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

/** Asks the tracker what a principal can browse, once at a time for each, and caches the answer for some minutes. */
export function createBrowsePermissions({
  tracker,
  table,
  users,
  groups,
  now,
}: PermissionsParts): PermissionsFor {
  const cached = createNamespace<Found>({
    name: 'browse-permissions',
    ttlMs: ({ whole }) => (whole.requests > MANY_REQUESTS ? SLOW_GOOD_FOR_MS : GOOD_FOR_MS),
    freshMs: GOOD_FOR_MS,
    most: MAX_PRINCIPALS,
    now,
  });
  const asking = singleFlight<BrowsePermissions>();
  const browsable = rememberBrowsable(table);
  /** The last answer for each principal, also where it has expired. */
  const last = new Map<string, Found>();
  const later = new WeakMap<Found, Latest>();

  async function find(user: string): Promise<BrowsePermissions> {
    const person = (await users([user])).get(user);
    if (person === undefined) return nothing;
    const found = await cached.getOrMake(user, () => requestAll(person));
    const known = later.get(found);
    if (known === undefined || isYoungerThan(ASKED_AGAIN_MS, known.at))
      return known?.permissions ?? found.whole;
    const more = sinceThen(known.about, await browsable(), known.permissions);
    if (more === null) return known.permissions;
    if (more.about.projects.length + more.about.singles.length === 0) {
      later.set(found, { ...known, about: more.asked });
      return known.permissions;
    }
    try {
      const at = now();
      const added = await tracker.permissions(person, await groupsOf(person), more.about);
      const newest = last.get(user);
      // A whole new answer, found out meanwhile, includes what is new.
      if (newest !== undefined && newest !== found) return later.get(newest)?.permissions ?? newest.whole;
      const permissions = withMore(known.permissions, more, added);
      later.set(found, { at, about: more.asked, permissions });
      return permissions;
    } catch (error) {
      if (error instanceof AppError) return known.permissions;
      throw error;
    }
  }

  async function requestAll(person: User): Promise<Found> {
    const at = now();
    const about = await browsable();
    const answer = await tracker.permissions(person, await groupsOf(person), about);
    const before = last.get(person.id);
    const permissionsBefore = before === undefined ? undefined : later.get(before)?.permissions;
    // The same answer stays the same value: what was looked up by it is good for longer.
    const whole =
      permissionsBefore !== undefined && isSame(permissionsBefore, answer) ? permissionsBefore : answer;
    const found = { whole, about: about.asked };
    later.set(found, { at, about: found.about, permissions: whole });
    last.delete(person.id);
    last.set(person.id, found);
    if (last.size > MAX_PRINCIPALS) for (const oldest of last.keys().take(1)) last.delete(oldest);
    return found;
  }

  async function groupsOf({ id }: User): Promise<readonly Group[]> {
    return (await groups()).filter(({ members }) => members.includes(id));
  }

  /** By a clock that was set back there is no age. */
  function isYoungerThan(ms: number, at: Instant): boolean {
    const age = now() - at;
    return age >= 0 && age < ms;
  }

  return async ({ account, rights }) =>
    rights === 'admin' ? nothing : asking.run(account, () => find(account));
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
 * Why the tracker does not say what people may see, in sentences; null when it does, and while there is nobody and
 * nothing to ask about. One person and one issue stand for all.
 */
export async function permissionsError(
  store: Pick<TrackerIssues, 'users' | 'recentKeys' | 'issue' | 'directory'>,
  { tenant, ...parts }: Pick<PermissionsParts, 'tracker' | 'now'> & { readonly tenant: string },
): Promise<string | null> {
  const [key] = await store.recentKeys(1);
  const issue = key === undefined ? null : await store.issue(key);
  const [user] = (await store.users()).keys();
  if (issue === null || user === undefined) return null;
  const permissionsFor = createBrowsePermissions({
    ...parts,
    table: async () => tableOf([issue]),
    users: (ids) => store.users(ids),
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

/** What the tracker was asked about; it does not hold any issue in memory. */
interface PermissionQuestion {
  readonly projects: ReadonlySet<string>;
  /** Ids of levels by the keys of issues. */
  readonly levels: ReadonlyMap<string, string | null>;
  readonly lastId: number;
}

/** What is new since then. `asked` is then and now together. */
interface More {
  readonly about: Browsable;
  readonly asked: PermissionQuestion;
}

/**
 * What has come since the tracker was asked: projects, issues with their levels, and issues of projects that are open
 * issue by issue; null: the very issues are the same.
 */
function sinceThen(
  then: PermissionQuestion,
  now: BrowsableIssues,
  permissions: FoundPermissions,
): More | null {
  const { asked } = now;
  if (asked === then) return null;
  const projects = now.projects.filter((key) => !then.projects.has(key));
  const fresh = new Set(projects);
  const singles = now.singles.filter(
    ({ key, level, project }) =>
      then.levels.get(key) !== level &&
      (fresh.has(project) || permissions.projects.has(project) || permissions.partly.has(project)),
  );
  const young: ListedIssue[] = [];
  for (const project of permissions.partly) young.push(...now.unlevelledAfter(project, then.lastId));
  return { about: { ...now, projects, singles: [...singles, ...young] }, asked };
}

/** Permissions with what was found out about what is new. */
function withMore(before: FoundPermissions, { about }: More, found: FoundPermissions): FoundPermissions {
  const asked = new Set(about.singles.map(({ key }) => key));
  const issues = new Set([...before.issues].filter((key) => !asked.has(key)));
  const open = union(before.projects, found.projects);
  return {
    projects: open,
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

/** What of some issues somebody may be allowed to see. */
interface BrowsableIssues extends Browsable {
  /** The same value for the same issues: many principals ask about them. */
  readonly asked: PermissionQuestion;
  /** Issues without a level of a project that came after the one with this number. */
  readonly unlevelledAfter: (project: string, id: number) => Iterable<ListedIssue>;
}

/** Finds out what of a table's issues people may be allowed to see, once for each of its versions. */
function rememberBrowsable(table: () => Promise<IssueTable>): () => Promise<BrowsableIssues> {
  let known: { readonly version: number; readonly found: Promise<BrowsableIssues> } | null = null;
  return async () => {
    const now = await table();
    const { version } = now.columns;
    // The one who asked first may leave; the others still wait for it.
    if (known?.version !== version) known = { version, found: detached(() => browsableOf(now)) };
    return known.found;
  };
}

async function browsableOf({ columns, load }: IssueTable): Promise<BrowsableIssues> {
  const rest = createYieldIfDue();
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
  /** Classes in the order in which they came. */
  const found: number[] = [];
  const singles: ListedIssue[] = [];
  let lastId = 0;
  for (let i = 0; i < rows.length; i += 1) {
    const due = i % ROWS_AT_ONCE === 0 ? rest() : null;
    if (due !== null) await due;
    const row = rows[i] ?? 0;
    const own = accessClass[row] ?? 0;
    // What came meanwhile is found with the next version.
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
    asked: {
      projects: new Set(unlevelled.keys()),
      levels: new Map(singles.map(({ key, level }) => [key, level])),
      lastId,
    },
    async lookUp(some) {
      const issues = await load(some.map(({ row }) => row));
      return some.flatMap((one, i): SingleIssue[] => {
        const issue = issues[i] ?? null;
        if (issue?.id === undefined) return [];
        return [{ ...one, id: issue.id, likeness: () => likenessOf(issue) }];
      });
    },
  };
}

/** Those of the tracker's own fields that name people; others of its own open an issue to nobody. */
const ofPeople: readonly string[] = ['assignee', 'creator', 'reporter'];

/** Longer texts name nobody. */
const MAX_NAME_LENGTH = 255;
/** Dates, and ranks, which are others in every issue. */
const namesNoOne = /^\d{4}-\d\d-\d\d|^\d+\|/;

/**
 * The same for issues that hold the same people, groups and options in the same fields: whatever opens one of them to
 * somebody opens the others as well. What a field is about shows in its content only, so every value counts.
 */
export function likenessOf({ fields }: Pick<Issue, 'fields'>): string {
  const people = Object.keys(fields)
    .filter((field) => isCustomField(field) || ofPeople.includes(field))
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
