import { z } from 'zod';
import { memo } from '../../cache/namespace.ts';
import { mapLimited } from '../../http-client/map-limited.ts';
import type { Group } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Browsable, FoundPermissions, ListedIssue, ProjectAccess } from '../live-tracker.ts';
import { askBrowseHolders, type BrowseHolders, type HoldersOf } from './browse-holders.ts';
import type { JiraClient } from './jira-client.ts';
import { areCredentialsRefused, JiraRefusal, missingPermission } from './jira-failures.ts';

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
  readonly goesByPermissionKey: (projectKey: string) => Promise<boolean>;
}

/** The parts with which permission schemes are looked up. `holdersOf` requests those that are not stored. */
export interface SchemeParts {
  readonly client: JiraClient;
  readonly holdersOf: HoldersOf;
  readonly grants: Grants;
}

/**
 * Sorts projects that a person may browse according to Jira. Jira says so as well where only the reporter, or the
 * person in a field, may browse an issue. A project whose scheme fails stays closed like one whose scheme may not be
 * read; the whole fails only where all fail, or where our account has no access.
 */
export async function openProjects(
  keys: readonly string[],
  about: Browsable,
  { client, holdersOf, grants }: SchemeParts,
): Promise<OpenProjects> {
  const findHolders = (key: string) =>
    orFailure(Promise.resolve(accessOf(about, key)?.holders ?? holdersOf(key, client)));
  const failures: AppError[] = [];
  const found = await mapLimited(CONCURRENCY, keys, async (key) => {
    const holders = await findHolders(key);
    if (holders instanceof AppError) failures.push(holders);
    if (holders === null || holders instanceof AppError) return { key, how: 'unreadable' } as const;
    const isWhole = !holders.dependsOnIssue || (await grants.isSure(holders));
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
    async goesByPermissionKey(key) {
      if (whole.has(key)) return true;
      const holders = await findHolders(key);
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

const profile = z.object({
  accountId: z.string().nullish(),
  key: z.string().nullish(),
  name: z.string().nullish(),
  active: z.boolean().nullish(),
  groups: z
    .object({
      size: z.number(),
      items: z.array(z.object({ name: z.string(), groupId: z.string().nullish() })),
    })
    .nullish(),
  applicationRoles: z.object({ items: z.array(z.object({ key: z.string() })) }).nullish(),
});

/** The facts about a person that decide whether holders include them, as Jira shows them now. */
interface PersonFacts {
  /** Null: Jira does not say. */
  readonly isActive: boolean | null;
  /** Ids and names; null: Jira does not show them, or not all. */
  readonly groups: readonly string[] | null;
  /** Keys of licences. */
  readonly licences: readonly string[];
}

/** The check of the holders of projects for one person. */
interface Grants {
  /** Returns the facts about the person, which are requested once, and only where they matter. */
  person(): Promise<PersonFacts>;
  /** Returns true where these holders let the person browse every issue for certain. */
  isSure(holders: BrowseHolders): Promise<boolean>;
}

/** The grants of a person. `groups` are those of the person by the stored lists, where Jira does not show them now. */
export function grantsOf(client: JiraClient, user: User, groups: readonly Group[]): Grants {
  let facts: Promise<PersonFacts> | null = null;
  const person = () => {
    facts ??= askPerson(client, user);
    return facts;
  };
  return {
    person,
    async isSure(holders) {
      if (holders.anyone || holders.people.has(user.id)) return true;
      if (user.login !== undefined && holders.logins.has(user.login)) return true;
      if (holders.groups.size + holders.licences.size === 0) return false;
      const { groups: current, licences } = await person();
      const own = current ?? groups.flatMap(({ id, name }) => [id, name]);
      if (own.some((group) => holders.groups.has(group))) return true;
      return holders.licences.has('')
        ? licences.length > 0
        : licences.some((key) => holders.licences.has(key));
    },
  };
}

const unknownPerson: PersonFacts = { isActive: false, groups: [], licences: [] };

async function askPerson(client: JiraClient, { id, login }: User): Promise<PersonFacts> {
  const who = (await client.kind()) === 'cloud' ? { accountId: id } : { username: login ?? id };
  try {
    const query = { ...who, expand: 'groups,applicationRoles' };
    const { accountId, key, name, active, groups, applicationRoles } = await client.ask(
      { method: 'GET', path: '/user', query, isPriority: true },
      profile,
    );
    // The login of the person may be another one's by now.
    if ((accountId ?? key ?? name) !== id) return unknownPerson;
    const isWhole = groups?.items.length === groups?.size;
    return {
      isActive: active ?? null,
      groups: isWhole
        ? (groups?.items.flatMap(({ groupId, name }) => [groupId ?? name, name]) ?? null)
        : null,
      licences: applicationRoles?.items.map(({ key }) => key) ?? [],
    };
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    return error.status === 404 ? unknownPerson : { isActive: null, groups: null, licences: [] };
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

const SCHEMES_AT_ONCE = 4;

const texts = z.array(z.string()).transform((all): ReadonlySet<string> => new Set(all));
const storedAccess = z.object({
  id: z.string().nullable(),
  holders: z.object({
    dependsOnIssue: z.boolean(),
    isKnown: z.boolean(),
    isExhaustive: z.boolean(),
    anyone: z.boolean(),
    people: texts,
    logins: texts,
    groups: texts,
    licences: texts,
  }),
});

/** The stored answer about a project: its id (null in Data Center, which goes by keys), and who can browse it. */
interface StoredAccess {
  readonly id: string | null;
  readonly holders: BrowseHolders;
}

const readAccess = memo((access: object): StoredAccess | null => storedAccess.safeParse(access).data ?? null);

/** Returns the stored answer about a project; null: there is none, or it is too old or of another form. */
export function accessOf({ accessOf: stored }: Browsable, projectKey: string): StoredAccess | null {
  const access = stored?.(projectKey);
  return typeof access === 'object' && access !== null ? readAccess(access) : null;
}

/**
 * Reads the answers to store about some projects, with requests that no user waits for. `ids` are those of projects by
 * key; null: Jira goes by keys, and the members of roles decide who can browse a project.
 */
export async function readProjectAccess(
  client: JiraClient,
  projects: readonly string[],
  ids: ReadonlyMap<string, string> | null,
): Promise<readonly ProjectAccess[]> {
  const patient: JiraClient = {
    ...client,
    ask: (request, schema) => client.ask({ ...request, isPriority: false, tries: 'few' }, schema),
  };
  const read = await mapLimited(SCHEMES_AT_ONCE, projects, async (project): Promise<ProjectAccess[]> => {
    const id = ids?.get(project) ?? null;
    if (ids !== null && id === null) return [];
    try {
      const holders = await askBrowseHolders(patient, project, { withMembers: ids === null });
      // A scheme that is refused is requested with each question, for it may be shown soon.
      return holders === null ? [] : [{ project, access: { id, holders: listed(holders) } }];
    } catch (error) {
      if (!(error instanceof AppError) || areCredentialsRefused(error)) throw error;
      return [];
    }
  });
  return read.flat();
}

/** Holders as JSON. */
function listed({ people, logins, groups, licences, ...facts }: BrowseHolders) {
  return {
    ...facts,
    people: [...people],
    logins: [...logins],
    groups: [...groups],
    licences: [...licences],
  };
}
