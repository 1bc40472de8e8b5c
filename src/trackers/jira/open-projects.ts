import { z } from 'zod';
import { mapLimited } from '../../http-client/map-limited.ts';
import type { Group } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Browsable, FoundPermissions, ListedIssue } from '../live-tracker.ts';
import type { BrowseHolders } from './browse-holders.ts';
import type { JiraClient } from './jira-client.ts';
import { areCredentialsRefused, JiraRefusal } from './jira-failures.ts';
import { missingPermission } from './missing-permission.ts';
import type { HoldersOf } from './remember-browse-holders.ts';

const CONCURRENCY = 4;

/** The issues that a person with access to some projects sees. */
export interface OpenProjects {
  /** Open with each of their issues that has no level. */
  readonly whole: ReadonlySet<string>;
  /** Open issue by issue. */
  readonly partly: ReadonlySet<string>;
  /** The number of issues that stay closed because the holders of their project are unknown. */
  readonly unasked: number;
  /** Keys of the projects of which that is so. */
  readonly unreadable: ReadonlySet<string>;
  /** Returns true where similar issues of a project are all open or all closed. */
  readonly goesByLikeness: (projectKey: string) => Promise<boolean>;
}

/** The parts with which permission schemes are looked up. */
export interface SchemeParts {
  readonly client: JiraClient;
  readonly holdersOf: HoldersOf;
  readonly isGranted: IsGranted;
}

/**
 * Sorts projects that a person may browse according to Jira. Jira says so as well where only the reporter, or the
 * person in a field, may browse an issue. A project whose scheme fails stays closed like one whose scheme may not be
 * read; the whole fails only where all fail, or where our account has no access.
 */
export async function openProjects(
  keys: readonly string[],
  about: Browsable,
  { client, holdersOf, isGranted }: SchemeParts,
): Promise<OpenProjects> {
  const failures: AppError[] = [];
  const found = await mapLimited(CONCURRENCY, keys, async (key) => {
    const holders = await orFailure(holdersOf(key, client));
    if (holders instanceof AppError) failures.push(holders);
    if (holders === null || holders instanceof AppError) return { key, how: 'unreadable' } as const;
    const isWhole = !holders.dependsOnIssue || (await isGranted(holders));
    return { key, how: isWhole ? 'whole' : 'partly' } as const;
  });
  const [failure] = failures;
  if (failure !== undefined && failures.length === keys.length) throw failure;
  const those = (how: (typeof found)[number]['how']) =>
    new Set(found.filter((one) => one.how === how).map(({ key }) => key));
  const [whole, partly, unreadable] = [those('whole'), those('partly'), those('unreadable')];
  const lost = about.singles.filter(({ project }) => unreadable.has(project)).length;
  return {
    whole,
    partly,
    unreadable,
    unasked: [...unreadable].reduce((sum, key) => sum + about.unlevelledIn(key), lost),
    async goesByLikeness(key) {
      if (whole.has(key)) return true;
      const holders = await orFailure(holdersOf(key, client));
      return holders !== null && !(holders instanceof AppError) && holders.isKnown;
    },
  };
}

/**
 * The issues that are to be asked about one by one, those with a level first: of open projects, and of those about
 * which nothing was asked now.
 */
export function* toAskSingly(
  { singles, projects, unlevelled }: Browsable,
  { whole, partly }: OpenProjects,
): Generator<ListedIssue> {
  const wanted = new Set(projects);
  for (const issue of singles) {
    const { project } = issue;
    if (whole.has(project) || partly.has(project) || !wanted.has(project)) yield issue;
  }
  for (const project of partly) yield* unlevelled(project);
}

/** Items in pieces of a size, the last one maybe shorter, taken from where they come from as they are wanted. */
export function* chunked<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[], undefined> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function orFailure<Answer>(request: Promise<Answer>): Promise<Answer | AppError> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof AppError) || areCredentialsRefused(error)) throw error;
    return error;
  }
}

const licensed = z.object({
  applicationRoles: z.object({ items: z.array(z.object({ key: z.string() })) }).nullish(),
});

/** Returns true where these holders let the person browse every issue. */
type IsGranted = (holders: BrowseHolders) => Promise<boolean>;

/**
 * Returns true where holders that do not depend on an issue grant it to a person for certain, as far as `groups`, those
 * of the person, and the licences show. The licences are read once, and only where they matter.
 */
export function grantedForSure(client: JiraClient, user: User, groups: readonly Group[]): IsGranted {
  let licences: Promise<readonly string[]> | null = null;
  return async (holders) => {
    if (holders.anyone || holders.people.has(user.id)) return true;
    if (user.login !== undefined && holders.logins.has(user.login)) return true;
    if (groups.some(({ id, name }) => holders.groups.has(id) || holders.groups.has(name))) return true;
    if (holders.licences.size === 0) return false;
    licences ??= askLicences(client, user);
    const owned = await licences;
    return holders.licences.has('') ? owned.length > 0 : owned.some((key) => holders.licences.has(key));
  };
}

async function askLicences(client: JiraClient, { id, login }: User): Promise<readonly string[]> {
  const who = (await client.kind()) === 'cloud' ? { accountId: id } : { username: login ?? id };
  try {
    const query = { ...who, expand: 'applicationRoles' };
    const answer = await client.ask({ method: 'GET', path: '/user', query, isPriority: true }, licensed);
    return answer.applicationRoles?.items.map(({ key }) => key) ?? [];
  } catch (error) {
    if (error instanceof JiraRefusal) return [];
    throw error;
  }
}

/** A sight before it is known how many requests it took. */
export type UncountedPermissions = Omit<FoundPermissions, 'requests'>;

/**
 * The results about projects, and about single issues. Fails with `tracker-permission-missing` where everything stays
 * closed because permission schemes cannot be read: it would look like a Jira without issues.
 */
export function foundPermissions(
  about: Browsable,
  open: OpenProjects,
  singly: { readonly issues: ReadonlySet<string>; readonly unasked: number },
): UncountedPermissions {
  const { whole, partly, unreadable } = open;
  if (unreadable.size > 0 && whole.size + partly.size + singly.issues.size === 0) {
    throw missingPermission(`The permission schemes of ${[...unreadable].join(', ')} cannot be read.`);
  }
  return {
    projects: open.whole,
    closedProjects: new Set(about.projects.filter((key) => !open.whole.has(key))),
    partly: open.partly,
    issues: singly.issues,
    unasked: open.unasked + singly.unasked,
  };
}

/** The results about a user whom Jira does not know: every project is closed. */
export function foundNothing({ projects }: Browsable): UncountedPermissions {
  const none = new Set<string>();
  return { projects: none, closedProjects: new Set(projects), partly: none, issues: none, unasked: 0 };
}
