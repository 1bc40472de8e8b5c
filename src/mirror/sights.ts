import { millisecondsInMinute } from 'date-fns/constants';
import { memo } from '../cache/memo.ts';
import { createNamespace } from '../cache/namespace.ts';
import { singleFlight } from '../cache/single-flight.ts';
import { chunksOf, type IssueChunk, rememberByChunk } from '../issues/issue-chunks.ts';
import { projectKeyOf, restrictionOf } from '../issues/issue-fields.ts';
import type { Group } from '../model/directory.ts';
import { AppError } from '../model/error.ts';
import type { FieldContent, Instant, Issue, User } from '../model/issue.ts';
import type { BrowsePermissions } from '../model/permissions.ts';
import type { Asker } from '../model/request.ts';
import type { IssueStore } from '../store/store.ts';
import type { Browsable, FoundSight, LiveTracker, SingleIssue } from '../trackers/live-tracker.ts';

/** How long an answer of the tracker is good without another look, as long as there is nothing it was not asked about. */
const KEPT_FOR_MS = 5 * millisecondsInMinute;

/** How long an answer that took many requests is good, while another look is taken behind the asker's back. */
const DEAR_KEPT_FOR_MS = 15 * millisecondsInMinute;
const MANY_REQUESTS = 50;

/** How long what is new stays closed. */
const ASKED_AGAIN_MS = 30_000;

/** Of so many askers answers are kept; of the others who asked longest ago is forgotten. */
const MOST_ASKERS = 300;

/** What sights are made of. `issues` are those that are here, also while the first fill goes on. */
interface SightsParts {
  readonly tracker: Pick<LiveTracker, 'sightOf'>;
  readonly issues: () => Promise<readonly Issue[]>;
  readonly users: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  readonly groups: () => Promise<readonly Group[]>;
  readonly now: () => Instant;
}

/**
 * What askers may browse. Fails as the tracker does when it cannot be asked. Who is not known to it sees nothing; of an
 * admin nothing is asked, as no sight closes anything to them.
 */
export type SightFor = (asker: Asker) => Promise<BrowsePermissions>;

/** What the tracker said about everything, and since then about what was new. */
interface Found {
  readonly whole: FoundSight;
  readonly about: AskedAbout;
}

interface Latest {
  /** When the tracker was asked about what was new. */
  readonly at: Instant;
  readonly about: AskedAbout;
  readonly sight: FoundSight;
}

const nothing: BrowsePermissions = {
  projects: new Set(),
  closedProjects: new Set(),
  issues: new Set(),
  unasked: 0,
};

/** Asks the tracker what an asker may browse, once at a time for each, and keeps the answer for some minutes. */
export function createSights({ tracker, issues, users, groups, now }: SightsParts): SightFor {
  const permissions = createNamespace<Found>({
    name: 'browse-permissions',
    ttlMs: ({ whole }) => (whole.requests > MANY_REQUESTS ? DEAR_KEPT_FOR_MS : KEPT_FOR_MS),
    freshMs: KEPT_FOR_MS,
    most: MOST_ASKERS,
    now,
  });
  const asking = singleFlight<BrowsePermissions>();
  /** The last answer for each asker, also where it has expired. */
  const last = new Map<string, Found>();
  const later = new WeakMap<Found, Latest>();

  async function find(user: string): Promise<BrowsePermissions> {
    const person = (await users([user])).get(user);
    if (person === undefined) return nothing;
    const found = await permissions.getOrMake(user, () => askAll(person));
    const known = later.get(found);
    if (known === undefined || isYoungerThan(ASKED_AGAIN_MS, known.at)) return known?.sight ?? found.whole;
    const more = sinceThen(known.about, browsableOf(await issues()), known.sight);
    if (more === null) return known.sight;
    if (more.about.projects.length + more.about.singles.length === 0) {
      later.set(found, { ...known, about: more.asked });
      return known.sight;
    }
    try {
      const at = now();
      const added = await tracker.sightOf(person, await groupsOf(person), more.about);
      const newest = last.get(user);
      // A whole new answer, found out meanwhile, tells of what is new as well.
      if (newest !== undefined && newest !== found) return later.get(newest)?.sight ?? newest.whole;
      const sight = withMore(known.sight, more, added);
      later.set(found, { at, about: more.asked, sight });
      return sight;
    } catch (error) {
      if (error instanceof AppError) return known.sight;
      throw error;
    }
  }

  async function askAll(person: User): Promise<Found> {
    const at = now();
    const browsable: BrowsableIssues = browsableOf(await issues());
    const told = await tracker.sightOf(person, await groupsOf(person), browsable);
    const before = last.get(person.id);
    const sightBefore = before === undefined ? undefined : later.get(before)?.sight;
    // The same answer stays the same value: what was looked up by it is good for longer.
    const whole = sightBefore !== undefined && isSame(sightBefore, told) ? sightBefore : told;
    const found = { whole, about: askedAbout(browsable) };
    later.set(found, { at, about: found.about, sight: whole });
    last.delete(person.id);
    last.set(person.id, found);
    if (last.size > MOST_ASKERS) for (const oldest of last.keys().take(1)) last.delete(oldest);
    return found;
  }

  async function groupsOf({ id }: User): Promise<readonly Group[]> {
    return (await groups()).filter(({ members }) => members.includes(id));
  }

  /** A clock that was set back tells no age. */
  function isYoungerThan(ms: number, at: Instant): boolean {
    const age = now() - at;
    return age >= 0 && age < ms;
  }

  return async ({ user, admin }) => (admin ? nothing : asking.run(user, () => find(user)));
}

function isSame(one: FoundSight, other: FoundSight): boolean {
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
 * Why the tracker does not tell what people may see, in sentences; null when it does, and while there is nobody and
 * nothing to ask about. One person and one issue stand for all.
 */
export async function whyUntold(
  store: Pick<IssueStore, 'users' | 'recentKeys' | 'issue' | 'directory'>,
  parts: Pick<SightsParts, 'tracker' | 'now'>,
): Promise<string | null> {
  const [key] = await store.recentKeys(1);
  const issue = key === undefined ? null : await store.issue(key);
  const [user] = (await store.users()).keys();
  if (issue === null || user === undefined) return null;
  const sightFor = createSights({
    ...parts,
    issues: async () => [issue],
    users: (ids) => store.users(ids),
    groups: async () => (await store.directory()).groups,
  });
  try {
    await sightFor({ user, admin: false });
    return null;
  } catch (error) {
    if (error instanceof AppError) return [error.message, ...error.details].join(' ');
    throw error;
  }
}

/** What the tracker was asked about; it keeps no issue alive. */
interface AskedAbout {
  readonly projects: ReadonlySet<string>;
  /** Ids of levels by the keys of issues. */
  readonly levels: ReadonlyMap<string, string | null>;
  readonly lastId: number;
}

/** What is new since then. `asked` is then and now together. */
interface More {
  readonly about: Browsable;
  readonly asked: AskedAbout;
}

/** The same value for the same issues: many askers ask about them. */
const askedAbout = memo((about: BrowsableIssues): AskedAbout => {
  const levels = new Map(about.singles.map(({ key, level }) => [key, level]));
  return { projects: new Set(about.projects), levels, lastId: about.lastId };
});

/**
 * What has come since the tracker was asked: projects, issues with their levels, and issues of projects that are open
 * issue by issue; null: the very issues are the same.
 */
function sinceThen(then: AskedAbout, now: BrowsableIssues, sight: FoundSight): More | null {
  const asked = askedAbout(now);
  if (asked === then) return null;
  const projects = now.projects.filter((key) => !then.projects.has(key));
  const fresh = new Set(projects);
  const singles = now.singles.filter(
    ({ key, level, project }) =>
      then.levels.get(key) !== level &&
      (fresh.has(project) || sight.projects.has(project) || sight.partly.has(project)),
  );
  const young: SingleIssue[] = [];
  for (const project of sight.partly) young.push(...now.unlevelledAfter(project, then.lastId));
  return { about: { ...now, projects, singles: [...singles, ...young] }, asked };
}

/** A sight with what was found out about what is new. */
function withMore(before: FoundSight, { about }: More, found: FoundSight): FoundSight {
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
  /** The greatest number that is the id of an issue. */
  readonly lastId: number;
  /** Issues without a level of a project with greater ids. */
  readonly unlevelledAfter: (project: string, id: number) => Iterable<SingleIssue>;
}

/**
 * What of these issues somebody may be allowed to see; the same value for the same array. An issue of which only the
 * key is known cannot be asked about, and is left out.
 */
export const browsableOf = rememberByChunk(meet, join);

/** A chunk's. */
interface Met {
  /** Issues without a level by project. */
  readonly projects: ReadonlyMap<string, number>;
  readonly singles: readonly SingleIssue[];
  readonly lastId: number;
}

function join(parts: readonly Met[], issues: readonly Issue[]): BrowsableIssues {
  const projects = new Map<string, number>();
  for (const part of parts) {
    for (const [key, count] of part.projects) projects.set(key, (projects.get(key) ?? 0) + count);
  }
  const after = (project: string, id: number) =>
    unlevelledIn(
      chunksOf(issues).filter(
        (_, i) => (parts[i]?.projects.get(project) ?? 0) > 0 && (parts[i]?.lastId ?? 0) > id,
      ),
      project,
      id,
    );
  return {
    projects: [...projects.keys()],
    singles: parts.flatMap(({ singles }) => singles),
    unlevelled: (project) => after(project, -1),
    unlevelledIn: (project) => projects.get(project) ?? 0,
    unlevelledAfter: after,
    lastId: parts.reduce((last, part) => Math.max(last, part.lastId), 0),
  };
}

function* unlevelledIn(chunks: readonly IssueChunk[], wanted: string, after: number): Generator<SingleIssue> {
  for (const chunk of chunks.toReversed()) {
    for (const issue of chunk.toReversed()) {
      if (projectKeyOf(issue).toUpperCase() !== wanted || restrictionOf(issue) !== null) continue;
      const single = singleOf(issue, wanted, null);
      if (single !== null && Number(single.id) > after) yield single;
    }
  }
}

function meet(issues: readonly Issue[]): Met {
  const projects = new Map<string, number>();
  const singles: SingleIssue[] = [];
  let lastId = 0;
  for (const issue of issues) {
    const project = projectKeyOf(issue).toUpperCase();
    const level = restrictionOf(issue);
    const id = Number(issue.id ?? 0);
    if (id > lastId) lastId = id;
    projects.set(project, (projects.get(project) ?? 0) + (level === null ? 1 : 0));
    const single = level === null ? null : singleOf(issue, project, level);
    if (single !== null) singles.push(single);
  }
  return { projects, singles, lastId };
}

function singleOf(issue: Issue, project: string, level: string | null): SingleIssue | null {
  const { id } = issue;
  if (id === undefined) return null;
  return { id, key: issue.key.toUpperCase(), project, level, likeness: () => likenessOf(issue) };
}

/** Those of the tracker's own fields that name people; others of its own open an issue to nobody. */
const ofPeople: readonly string[] = ['assignee', 'creator', 'reporter'];
const own = /^customfield_/;

/** Longer texts name nobody. */
const LONGEST_NAME = 255;
/** Dates, and ranks, which are others in every issue. */
const namesNobody = /^\d{4}-\d\d-\d\d|^\d+\|/;

/**
 * The same for issues that hold the same people, groups and options in the same fields: whatever opens one of them to
 * somebody opens the others as well. A field tells what it is about by its content only, so every value counts.
 */
export function likenessOf({ fields }: Pick<Issue, 'fields'>): string {
  const told = Object.keys(fields)
    .filter((field) => own.test(field) || ofPeople.includes(field))
    .sort()
    .flatMap((field): [string, readonly string[]][] => {
      const ids = idsIn(fields[field] ?? null);
      return ids.length === 0 ? [] : [[field, [...ids].sort()]];
    });
  return JSON.stringify(told);
}

function idsIn(content: FieldContent): readonly string[] {
  if (content === null || typeof content === 'number') return [];
  if (typeof content === 'string') {
    return content.length > LONGEST_NAME || namesNobody.test(content) ? [] : [content];
  }
  return 'length' in content ? content.map(({ id }) => id) : [content.id];
}
