import {
  fine,
  type JiraAnswer,
  type JiraAsked,
  type JiraRoute,
  numberIn,
  refused,
  textsIn,
} from './stand-in-jira-answer.ts';
import { type JiraSearch, readJql } from './stand-in-jira-jql.ts';
import type { JiraManners } from './stand-in-jira-manners.ts';
import type { JiraTeller } from './stand-in-jira-told.ts';
import { comparePlaces, type JiraWorld, type Place } from './stand-in-jira-world.ts';

/** Most issues of a page of Cloud: with ids and keys only, and with fields. */
const [MAX_BARE, MAX_FULL] = [5000, 100];
/** How long a page token is good for. */
const TOKEN_LIFETIME_MS = 30 * 60_000;
const UNBOUNDED =
  'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.';

/** Searches of both products. */
export function searchRoutes(
  world: JiraWorld,
  manners: JiraManners,
  teller: JiraTeller,
): readonly JiraRoute[] {
  const visible = (number: number) =>
    world.exists(number) && !manners.withheld.has(world.standing(number).project.key);

  /** The places of what is found, oldest first. */
  function* matching(search: JiraSearch, after: Place | null): Generator<Place> {
    const { by, ids, projects, created, updated } = search;
    const fits = ({ number }: Place) =>
      visible(number) &&
      (projects === null || projects.includes(world.standing(number).project.key)) &&
      (created === null || world.place('created', number).at >= created) &&
      (updated === null || world.place('updated', number).at >= updated);
    const known = [...new Set(ids?.flatMap((id) => world.numberOf(id) ?? []))];
    const order =
      ids === null ? world.order(by) : known.map((number) => world.place(by, number)).toSorted(comparePlaces);
    for (const place of order)
      if ((after === null || comparePlaces(place, after) > 0) && fits(place)) yield place;
  }

  function read(jql: unknown, strict: boolean): JiraSearch | JiraAnswer {
    if (typeof jql !== 'string') return refused(400, 'The JQL query is missing.');
    const search = readJql(jql, manners.timeZone, manners.overlap);
    if ('error' in search) return refused(400, search.error);
    if (world.mode === 'cloud' && search.unbounded) return refused(400, UNBOUNDED);
    const unknown = (search.ids ?? []).filter((id) => {
      const number = world.numberOf(id);
      return number === null || !visible(number);
    });
    return strict && unknown.length > 0
      ? refused(400, ...unknown.map((id) => `An issue with key '${id}' does not exist for field 'id'.`))
      : search;
  }

  function cloud({ body }: JiraAsked): JiraAnswer {
    const search = read(body.jql, true);
    if ('status' in search) return search;
    const fields = textsIn(body.fields);
    const changelog = textsIn(body.expand).includes('changelog');
    const bare = !changelog && fields.every((one) => one === 'id' || one === 'key');
    const most = bare ? MAX_BARE : MAX_FULL;
    const wanted = numberIn(body.maxResults, 50);
    if (wanted < 0 || wanted > 5000) return refused(400, 'The maximum number of results is 5000.');
    const about = JSON.stringify([body.jql, fields, changelog]);
    const after = placeOf(body.nextPageToken, about);
    if (after === 'refused') return refused(400, 'The provided next page token is invalid or expired.');
    const asIf = Math.max(1, Math.min(wanted, most));
    const size = manners.shortPages
      ? Math.max(1, Math.ceil(asIf * (0.5 + ((after?.at ?? 7) % 10) / 20)))
      : asIf;
    // One more tells whether this is the last page.
    const found = [...matching(search, after).take(size + 1)];
    const page = found.slice(0, size);
    const [last] = found.length > size ? page.slice(-1) : [];
    const issues = page.map(({ number }) => teller.issue(number, fields, changelog));
    const next = last === undefined ? {} : { nextPageToken: tokenFor(last, about) };
    return fine({ issues, ...next, isLast: last === undefined }, issues.length);
  }

  function tokenFor({ at, number }: Place, about: string): string {
    return Buffer.from(JSON.stringify([at, number, world.now(), about])).toString('base64url');
  }

  function placeOf(token: unknown, about: string): Place | null | 'refused' {
    if (token === undefined || token === null) return null;
    const told = typeof token === 'string' ? parsed(Buffer.from(token, 'base64url').toString()) : null;
    if (!Array.isArray(told) || told[3] !== about) return 'refused';
    if (world.now() - numberIn(told[2], 0) > TOKEN_LIFETIME_MS) return 'refused';
    return { at: numberIn(told[0], 0), number: numberIn(told[1], 0) };
  }

  function dataCenter({ body }: JiraAsked): JiraAnswer {
    const search = read(body.jql ?? '', body.validateQuery !== false);
    if ('status' in search) return search;
    const startAt = numberIn(body.startAt, 0);
    const maxResults = Math.min(numberIn(body.maxResults, 50), 1000);
    const changelog = textsIn(body.expand).includes('changelog');
    const fields = body.fields === undefined ? ['*navigable'] : textsIn(body.fields);
    const found = [...matching(search, null)];
    return fine({
      expand: 'schema,names',
      startAt,
      maxResults,
      total: found.length,
      issues: found
        .slice(startAt, startAt + maxResults)
        .map(({ number }) => teller.issue(number, fields, changelog)),
    });
  }

  function counted({ body }: JiraAsked): JiraAnswer {
    const search = read(body.jql, false);
    return 'status' in search ? search : fine({ count: [...matching(search, null)].length });
  }

  const route = (path: string, answer: (one: JiraAsked) => JiraAnswer): JiraRoute => ({
    ...{ method: 'POST', path, api: 'platform', answer },
  });
  return world.mode === 'dataCenter'
    ? [route('/search', dataCenter)]
    : [route('/search/jql', cloud), route('/search/approximate-count', counted)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
