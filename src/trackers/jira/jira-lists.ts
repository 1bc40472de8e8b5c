import { z } from 'zod';
import { mapLimited } from '../../http-client/map-limited.ts';
import { AppError } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import { jiraStatus } from '../jira-json/jira-schema.ts';
import { readBeside } from '../jira-json/read-beside.ts';
import { idText, readStatus, readVersion } from '../jira-json/read-references.ts';
import type { ListsPlace, ListsSlice } from '../live-tracker.ts';
import type { TrackerEntry } from '../tracker.ts';
import { askList, askPages, askParts, askPieces } from './ask-pages.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraRefusal } from './jira-failures.ts';

/** The parts from which a list is read: `site` is where people browse, `projects` the ids of the projects by key. */
interface ListParts {
  readonly client: JiraClient;
  readonly site: string;
  readonly projects: () => Promise<ReadonlyMap<string, string>>;
}

/** Entries of a list, and the place in it at which it goes on once they are stored; null: with the next ones only. */
interface ListSlice {
  readonly entries: readonly TrackerEntry[];
  readonly at: string | null;
}

/** One of Jira's lists, from a place on (empty: from the start). Where Jira refuses it, it ends with a JiraRefusal. */
type List = (parts: ListParts, from: string) => AsyncIterable<ListSlice>;

const PAGE = 50;
/** The most people both Jiras hand out at once. */
const PIECE = 1000;
const CONCURRENCY = 4;
/** The number of boards, groups or projects, each with a list of its own, that are read before others get their turn. */
const LISTS_AT_ONCE = 20;

/** In their order, by the source that a refusal names. */
const lists: readonly (readonly [source: string, list: List])[] = [
  ['statuses', listStatuses],
  ['fields', listFields],
  ['priorities', listPriorities],
  ['people', listUsers],
  ['groups', listGroups],
  ['sprints', listSprints],
  ['versions', listVersions],
  ['filters', listFilters],
];

/**
 * All lists that belong to the issues, from a place on; a refused or malformed list is an unreadable entry. A place is the
 * name of a list and a place in it, with a blank between them.
 */
export async function* readLists(parts: ListParts, from: ListsPlace | null): AsyncGenerator<ListsSlice> {
  const [begun = '', at = ''] = from?.split(' ') ?? [];
  const first = lists.findIndex(([source]) => source === begun);
  for (const [i, [source, list]] of lists.entries()) {
    if (i < first) continue;
    try {
      for await (const slice of list(parts, i === first ? at : '')) {
        yield { entries: slice.entries, place: slice.at === null ? null : `${source} ${slice.at}` };
      }
    } catch (error) {
      // Without access the answer is empty.
      const isOfList =
        error instanceof JiraRefusal || (error instanceof AppError && error.code !== 'not-allowed');
      if (!isOfList) throw error;
      yield { entries: [{ kind: 'unreadable', source, reason: error.message }], place: null };
    }
    const [next] = lists[i + 1] ?? [];
    if (next !== undefined) yield { entries: [], place: `${next} ` };
  }
}

/** A list that comes with one request. */
const whole = (...entries: readonly TrackerEntry[]): ListSlice => ({ entries, at: null });

/** The one list of statuses. */
async function* listStatuses(parts: ListParts): AsyncGenerator<ListSlice> {
  const raw = await askList(parts.client, { path: '/status' });
  const parsed = raw.map((one) => jiraStatus.safeParse(one));
  const statuses = parsed.flatMap(({ data }) => (data === undefined ? [] : [readStatus(data)]));
  // Only of a list that could be read to its end can it be said what is not in it.
  const list = statuses.length === raw.length ? parts.site : null;
  yield whole({ kind: 'statuses', statuses: await withScopesByKey(statuses, parts), list });
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
async function* listFields({ client }: ListParts): AsyncGenerator<ListSlice> {
  yield whole(...listEntries(await askList(client, { path: '/field' })));
}

const priority = z.object({ id: idText, name: z.string() });

/** Jira lists them from the most important one on. */
async function* listPriorities({ client }: ListParts): AsyncGenerator<ListSlice> {
  const listed = (await askList(client, { path: '/priority' })).flatMap(
    (one) => priority.safeParse(one).data ?? [],
  );
  const priorities = listed.map(({ id, name }, place) => ({ id, name, place }));
  yield whole({ kind: 'directory', part: { priorities } });
}

/** All people who may have changed something, including former ones and apps. */
async function* listUsers({ client }: ListParts, from: string): AsyncGenerator<ListSlice> {
  const request =
    (await client.kind()) === 'cloud'
      ? { path: '/users/search' }
      : // A single dot finds everybody there.
        { path: '/user/search', query: { username: '.', includeInactive: 'true' } };
  for await (const { values, next } of askPieces(client, request, { size: PIECE, from: Number(from) })) {
    yield { entries: listEntries(values), at: placeAt(next) };
  }
}

/** More than Data Center hands out anyway. */
const MAX_PICKED = 1000;

const group = z.object({ name: z.string(), groupId: z.string().nullish() });
type JiraGroup = z.output<typeof group>;

const picked = z.object({ total: z.number(), groups: z.array(group) });

/** Every group with its people; a group without its people is left out, which is reported. */
async function* listGroups({ client }: ListParts, from: string): AsyncGenerator<ListSlice> {
  for await (const { groups, entries, at } of groupSlices(client, Number(from))) {
    if (entries.length > 0) yield { entries, at: null };
    yield* together(
      groups.map((one) => membersOf(client, one)),
      at,
    );
  }
}

/** Some groups, what is reported of their list, and the place after them. */
interface GroupSlice extends ListSlice {
  readonly groups: readonly JiraGroup[];
}

async function* groupSlices(client: JiraClient, from: number): AsyncGenerator<GroupSlice> {
  if ((await client.kind()) === 'cloud') {
    const request = { path: '/group/bulk' };
    for await (const { values, next } of askParts(client, request, { size: LISTS_AT_ONCE, from })) {
      const groups = values.flatMap((one) => group.safeParse(one).data ?? []);
      yield { groups, entries: [], at: placeAt(next) };
    }
    return;
  }
  const query = { maxResults: String(MAX_PICKED) };
  const { total, groups } = await client.ask({ method: 'GET', path: '/groups/picker', query }, picked);
  for (let start = from; start < groups.length; start += LISTS_AT_ONCE) {
    const end = start + LISTS_AT_ONCE;
    yield { groups: groups.slice(start, end), entries: [], at: String(end) };
  }
  const reason = `Jira lists only ${groups.length} of its ${total} groups.`;
  if (groups.length < total)
    yield { groups: [], entries: [{ kind: 'unreadable', source: 'groups', reason }], at: null };
}

/** A group and its people, a page of them at a time. */
async function* membersOf(
  client: JiraClient,
  { name, groupId }: JiraGroup,
): AsyncGenerator<readonly TrackerEntry[]> {
  const who = groupId ? { groupId } : { groupname: name };
  const request = { path: '/group/member', query: { ...who, includeInactiveUsers: 'true' } };
  const members: string[] = [];
  try {
    for await (const values of askPages(client, request, PAGE)) {
      const users = values.flatMap((one) => readBeside(one)?.users ?? []);
      members.push(...users.map(({ id }) => id));
      yield users.length === 0 ? [] : [{ kind: 'users', users }];
    }
    yield [{ kind: 'directory', part: { groups: [{ id: groupId || name, name, members }] } }];
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    const reason = `Jira does not show the members of group '${name}': ${error.message}`;
    yield [{ kind: 'unreadable', source: 'groups', reason }];
  }
}

/** The place before the element with a number; null where there is none. */
function placeAt(next: number | null): string | null {
  return next === null ? null : String(next);
}

/**
 * Reads several lists side by side, a page of each at a time, so that a long one holds up others no longer than a page. `at` is
 * the place after all of them.
 */
async function* together(
  readings: readonly AsyncGenerator<readonly TrackerEntry[]>[],
  at: string | null,
): AsyncGenerator<ListSlice> {
  for (let open = readings; open.length > 0; ) {
    const pages = await mapLimited(CONCURRENCY, open, (one) => one.next());
    open = open.filter((_, i) => pages[i]?.done !== true);
    const entries = pages.flatMap(({ done, value }) => (done ? [] : value));
    yield { entries, at: open.length === 0 ? at : null };
  }
}

const board = z.object({ id: idText, type: z.string().nullish() });

/** A board without sprints (400), or a board or project that is gone meanwhile (404), has nothing to report. */
const nothingThere: readonly number[] = [400, 404];

/** The sprints of every board that has any; a board without its sprints is left out, which is reported. */
async function* listSprints({ client }: ListParts, from: string): AsyncGenerator<ListSlice> {
  const request = { api: 'software', path: '/board' } as const;
  const parts = askParts(client, request, { size: LISTS_AT_ONCE, from: Number(from) });
  for await (const { values, next } of parts) {
    const found = values.flatMap((one) => board.safeParse(one).data ?? []);
    const withSprints = found.filter(({ type }) => type !== 'kanban');
    yield* together(
      withSprints.map(({ id }) => sprintsOf(client, id)),
      placeAt(next),
    );
  }
}

async function* sprintsOf(client: JiraClient, id: string): AsyncGenerator<readonly TrackerEntry[]> {
  try {
    const request = { api: 'software', path: `/board/${encodeURIComponent(id)}/sprint` } as const;
    for await (const sprints of askPages(client, request, PAGE)) yield listEntries(sprints);
  } catch (error) {
    yield unlessGone('sprints', error);
  }
}

/** The entry about a part of a list that Jira refuses; none where the part is not there. Other errors are thrown. */
function unlessGone(source: string, error: unknown): readonly TrackerEntry[] {
  if (!(error instanceof JiraRefusal)) throw error;
  return nothingThere.includes(error.status) ? [] : [{ kind: 'unreadable', source, reason: error.message }];
}

/** The versions of every project: nothing happens to an issue when a version of it is released. */
async function* listVersions({ client, projects }: ListParts, from: string): AsyncGenerator<ListSlice> {
  const keys = [...(await known(projects)).keys()].sort().filter((key) => key > from);
  if (keys.length === 0 && from === '') yield whole({ kind: 'directory', part: { versions: [] } });
  for (let start = 0; start < keys.length; start += LISTS_AT_ONCE) {
    const some = keys.slice(start, start + LISTS_AT_ONCE);
    const versions = await mapLimited(CONCURRENCY, some, (key) => versionsOf(client, key));
    yield { entries: versions.flat(), at: some.at(-1) ?? null };
  }
}

async function versionsOf(client: JiraClient, key: string): Promise<readonly TrackerEntry[]> {
  try {
    const raw = await askList(client, { path: `/project/${encodeURIComponent(key)}/versions` });
    const versions = raw.flatMap((one, place) => {
      const version = readVersion(one, key);
      return version === null ? [] : [{ ...version, place }];
    });
    return [{ kind: 'directory', part: { versions } }];
  } catch (error) {
    return unlessGone('versions', error);
  }
}

/** Saved filters; of Data Center's only the favourites of our account, for it lists no others. */
async function* listFilters({ client }: ListParts, from: string): AsyncGenerator<ListSlice> {
  if ((await client.kind()) === 'dataCenter') {
    yield whole(...listEntries(await askList(client, { path: '/filter/favourite' })));
    return;
  }
  const request = { path: '/filter/search', query: { expand: 'jql,owner,sharePermissions' } };
  for await (const { values, next } of askParts(client, request, { size: PAGE, from: Number(from) })) {
    yield { entries: listEntries(values), at: placeAt(next) };
  }
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
