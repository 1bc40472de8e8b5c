import { z } from 'zod';
import { mapLimited } from '../../http-client/map-limited.ts';
import type { Group } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { Status, User } from '../../model/issue.ts';
import { idText, jiraStatus } from '../jira-json/jira-schema.ts';
import { readBeside } from '../jira-json/read-beside.ts';
import { readStatus } from '../jira-json/read-status.ts';
import { readVersion } from '../jira-json/read-version.ts';
import type { TrackerEntry } from '../tracker.ts';
import { askList, askPages, askPieces } from './ask-pages.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraRefusal } from './jira-failures.ts';

/** The parts from which a list is read: `site` is where people browse, `projects` the ids of the projects by key. */
interface ListParts {
  readonly client: JiraClient;
  readonly site: string;
  readonly projects: () => Promise<ReadonlyMap<string, string>>;
}

/** One of Jira's lists. Where Jira refuses it, it ends with a JiraRefusal. */
type List = (parts: ListParts) => AsyncIterable<TrackerEntry>;

const PAGE = 50;
/** The most people both Jiras hand out at once. */
const PIECE = 1000;
const CONCURRENCY = 4;

/** By the source that a refusal names. */
const lists: Readonly<Record<string, List>> = {
  statuses: listStatuses,
  fields: listFields,
  priorities: listPriorities,
  people: listUsers,
  groups: listGroups,
  sprints: listSprints,
  versions: listVersions,
  filters: listFilters,
};

/** All lists that belong to the issues; a refused or malformed list is an unreadable entry. */
export async function* readLists(parts: ListParts): AsyncGenerator<TrackerEntry> {
  for (const [source, list] of Object.entries(lists)) {
    try {
      yield* list(parts);
    } catch (error) {
      // Without access the answer is empty.
      const isOfList =
        error instanceof JiraRefusal || (error instanceof AppError && error.code !== 'not-allowed');
      if (!isOfList) throw error;
      yield { kind: 'unreadable', source, reason: error.message };
    }
  }
}

/** The one list of statuses. */
async function* listStatuses(parts: ListParts): AsyncGenerator<TrackerEntry> {
  const raw = await askList(parts.client, { path: '/status' });
  const parsed = raw.map((one) => jiraStatus.safeParse(one));
  const statuses = parsed.flatMap(({ data }) => (data === undefined ? [] : [readStatus(data)]));
  // Only of a list that could be read to its end can it be said what is not in it.
  const list = statuses.length === raw.length ? parts.site : null;
  yield { kind: 'statuses', statuses: await withScopesByKey(statuses, parts), list };
}

/** Cloud identifies the project of a team-managed status by id. */
async function withScopesByKey(
  statuses: readonly Status[],
  { projects }: ListParts,
): Promise<readonly Status[]> {
  if (!statuses.some(({ scope }) => scope !== undefined)) return statuses;
  const keys = new Map([...(await known(projects))].map(([key, id]) => [id, key]));
  return statuses.map((status) =>
    status.scope === undefined ? status : { ...status, scope: keys.get(status.scope) ?? status.scope },
  );
}

async function known(projects: ListParts['projects']): Promise<ReadonlyMap<string, string>> {
  try {
    return await projects();
  } catch (error) {
    if (error instanceof JiraRefusal) return new Map();
    throw error;
  }
}

/** The names of the fields. */
async function* listFields({ client }: ListParts): AsyncGenerator<TrackerEntry> {
  yield* listEntries(await askList(client, { path: '/field' }));
}

const priority = z.object({ id: idText, name: z.string() });

/** Jira lists them from the most important one on. */
async function* listPriorities({ client }: ListParts): AsyncGenerator<TrackerEntry> {
  const listed = (await askList(client, { path: '/priority' })).flatMap(
    (one) => priority.safeParse(one).data ?? [],
  );
  const priorities = listed.map(({ id, name }, place) => ({ id, name, place }));
  yield { kind: 'directory', part: { priorities } };
}

/** All people who may have changed something, including former ones and apps. */
async function* listUsers({ client }: ListParts): AsyncGenerator<TrackerEntry> {
  const request =
    (await client.kind()) === 'cloud'
      ? { path: '/users/search' }
      : // A single dot finds everybody there.
        { path: '/user/search', query: { username: '.', includeInactive: 'true' } };
  for await (const users of askPieces(client, request, PIECE)) yield* listEntries(users);
}

/** More than Data Center hands out anyway. */
const MAX_PICKED = 1000;

const group = z.object({ name: z.string(), groupId: z.string().nullish() });
type JiraGroup = z.output<typeof group>;

const picked = z.object({ total: z.number(), groups: z.array(group) });

/** Every group with its people; a group without its people is left out, which is reported once. */
async function* listGroups({ client }: ListParts): AsyncGenerator<TrackerEntry> {
  const refusals: string[] = [];
  for await (const groups of groupPages(client, refusals)) {
    const answers = await mapLimited(CONCURRENCY, groups, (one) => peopleOf(client, one));
    for (const one of answers) {
      if ('refusal' in one) refusals.push(one.refusal);
      else yield* entriesOf(one);
    }
  }
  yield* refusalEntries('groups', refusals);
}

type People = { readonly group: Group; readonly users: readonly User[] } | { readonly refusal: string };

async function* groupPages(client: JiraClient, refusals: string[]): AsyncGenerator<JiraGroup[]> {
  if ((await client.kind()) === 'cloud') {
    for await (const values of askPages(client, { path: '/group/bulk' }, PAGE)) {
      yield values.flatMap((one) => group.safeParse(one).data ?? []);
    }
    return;
  }
  const query = { maxResults: String(MAX_PICKED) };
  const { total, groups } = await client.ask({ method: 'GET', path: '/groups/picker', query }, picked);
  yield groups;
  if (groups.length < total) refusals.push(`Jira lists only ${groups.length} of its ${total} groups.`);
}

async function peopleOf(client: JiraClient, { name, groupId }: JiraGroup): Promise<People> {
  const who = groupId ? { groupId } : { groupname: name };
  const request = { path: '/group/member', query: { ...who, includeInactiveUsers: 'true' } };
  const users: User[] = [];
  try {
    for await (const values of askPages(client, request, PAGE)) {
      users.push(...values.flatMap((one) => readBeside(one)?.users ?? []));
    }
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    return { refusal: `Jira does not show the members of group '${name}': ${error.message}` };
  }
  return { group: { id: groupId || name, name, members: users.map(({ id }) => id) }, users };
}

function entriesOf({ group: told, users }: Exclude<People, { readonly refusal: string }>): TrackerEntry[] {
  return [
    ...(users.length === 0 ? [] : [{ kind: 'users', users } as const]),
    { kind: 'directory', part: { groups: [told] } },
  ];
}

const board = z.object({ id: idText, type: z.string().nullish() });

/** A board without sprints (400), or a board or project that is gone meanwhile (404), has nothing to report. */
const nothingThere: readonly number[] = [400, 404];

/** The sprints of every board that has any; a board without its sprints is left out, which is reported once. */
async function* listSprints({ client }: ListParts): AsyncGenerator<TrackerEntry> {
  const refusals: string[] = [];
  for await (const values of askPages(client, { api: 'software', path: '/board' }, PAGE)) {
    const boards = values.flatMap((one) => board.safeParse(one).data ?? []);
    const withSprints = boards.filter(({ type }) => type !== 'kanban');
    yield* (await mapLimited(CONCURRENCY, withSprints, ({ id }) => sprintsOf(client, id, refusals))).flat();
  }
  yield* refusalEntries('sprints', refusals);
}

async function sprintsOf(client: JiraClient, id: string, refusals: string[]): Promise<TrackerEntry[]> {
  const entries: TrackerEntry[] = [];
  try {
    const request = { api: 'software', path: `/board/${encodeURIComponent(id)}/sprint` } as const;
    for await (const sprints of askPages(client, request, PAGE)) entries.push(...listEntries(sprints));
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    if (!nothingThere.includes(error.status)) refusals.push(error.message);
  }
  return entries;
}

/** The versions of every project: nothing happens to an issue when a version of it is released. */
async function* listVersions({ client, projects }: ListParts): AsyncGenerator<TrackerEntry> {
  const refusals: string[] = [];
  const keys = [...(await known(projects)).keys()];
  const listed = await mapLimited(CONCURRENCY, keys, async (key) => {
    try {
      const raw = await askList(client, { path: `/project/${encodeURIComponent(key)}/versions` });
      return raw.flatMap((one, place) => {
        const version = readVersion(one, key);
        return version === null ? [] : [{ ...version, place }];
      });
    } catch (error) {
      if (!(error instanceof JiraRefusal)) throw error;
      if (!nothingThere.includes(error.status)) refusals.push(error.message);
      return [];
    }
  });
  yield { kind: 'directory', part: { versions: listed.flat() } };
  yield* refusalEntries('versions', refusals);
}

/** Saved filters; of Data Center's only the favourites of our account, for it lists no others. */
async function* listFilters({ client }: ListParts): AsyncGenerator<TrackerEntry> {
  if ((await client.kind()) === 'dataCenter') {
    yield* listEntries(await askList(client, { path: '/filter/favourite' }));
    return;
  }
  const request = { path: '/filter/search', query: { expand: 'jql,owner,sharePermissions' } };
  for await (const filters of askPages(client, request, PAGE)) yield* listEntries(filters);
}

/** Entries of Jira's lists of people, fields, filters or sprints in our nouns; what cannot be read is left out. */
function listEntries(raw: readonly unknown[]): TrackerEntry[] {
  const found = raw.map(readBeside).filter((one) => one !== null);
  const users = found.flatMap((one) => one.users);
  const fields = found.flatMap(({ part }) => part.fields ?? []);
  const filters = found.flatMap(({ part }) => part.filters ?? []);
  const sprints = found.flatMap(({ part }) => part.sprints ?? []);
  return [
    ...(users.length === 0 ? [] : [{ kind: 'users', users } as const]),
    ...(fields.length === 0 ? [] : [{ kind: 'directory', part: { fields } } as const]),
    ...(filters.length === 0 ? [] : [{ kind: 'directory', part: { filters } } as const]),
    ...(sprints.length === 0 ? [] : [{ kind: 'directory', part: { sprints } } as const]),
  ];
}

/** The entry about an incomplete list, once for all refusals; none where there were none. */
function refusalEntries(source: string, refusals: readonly string[]): TrackerEntry[] {
  const [first, ...others] = refusals;
  if (first === undefined) return [];
  const reason = others.length === 0 ? first : `${first} (and ${others.length} more like it)`;
  return [{ kind: 'unreadable', source, reason }];
}
