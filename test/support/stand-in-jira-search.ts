import {
  asked,
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

const GONE = 'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.';
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

  function* matching(search: JiraSearch, after: Place | null): Generator<number> {
    const { by, ids, projects } = search;
    const fits = (number: number) =>
      visible(number) &&
      (projects === null || projects.includes(world.standing(number).project.key)) &&
      (search.created === null || world.place('created', number).at >= search.created) &&
      (search.updated === null || world.place('updated', number).at >= search.updated);
    if (ids !== null) {
      const known = [...new Set(ids.flatMap((id) => world.numberOf(id) ?? []))].filter(fits);
      const sorted = known.toSorted((a, b) => comparePlaces(world.place(by, a), world.place(by, b)));
      yield* sorted.filter((one) => after === null || comparePlaces(world.place(by, one), after) > 0);
      return;
    }
    const order = world.order(by);
    // The order begins where its own restriction does.
    const other = by === 'created' ? 'updated' : 'created';
    const since = search[other];
    const restricted = projects !== null || manners.withheld.size > 0;
    const stays = (number: number) =>
      (restricted ? fits(number) : world.exists(number)) &&
      (since === null || world.place(other, number).at >= since);
    for (let i = startOf(order, by, search[by], after); i < order.length; i += 1) {
      const number = order[i];
      if (number !== undefined && stays(number)) yield number;
    }
  }

  /** The first place that is neither before `from` nor at or before `after`. */
  function startOf(
    order: Uint32Array,
    by: 'created' | 'updated',
    from: number | null,
    after: Place | null,
  ): number {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const here = world.place(by, order[middle] ?? 0);
      const tooEarly =
        (from !== null && here.at < from) || (after !== null && comparePlaces(here, after) <= 0);
      if (tooEarly) low = middle + 1;
      else high = middle;
    }
    return low;
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

  function cloud({ body, base }: JiraAsked): JiraAnswer {
    const search = read(body.jql, true);
    if ('status' in search) return search;
    const fields = textsIn(body.fields);
    const changelog = textsIn(body.expand).includes('changelog');
    const bare = !changelog && fields.every((one) => one === 'id' || one === 'key');
    const most = bare ? manners.pages.bare : manners.pages.full;
    const wanted = numberIn(body.maxResults, 50);
    if (wanted < 0 || wanted > 5000) return refused(400, 'The maximum number of results is 5000.');
    const about = JSON.stringify([body.jql, fields, changelog]);
    const after = placeOf(body.nextPageToken, about);
    if (after === 'refused') return refused(400, 'The provided next page token is invalid or expired.');
    const asIf = Math.max(1, Math.min(wanted, most));
    const size = manners.shortPages
      ? Math.max(1, Math.ceil(asIf * (0.5 + ((after?.at ?? 7) % 10) / 20)))
      : asIf;
    const numbers: number[] = [];
    let more = false;
    for (const number of matching(search, after)) {
      more = numbers.length === size;
      if (more) break;
      numbers.push(number);
    }
    const last = numbers.at(-1);
    return fine(
      {
        issues: numbers.map((number) => teller.issue(number, fields, changelog, base)),
        ...(more && last !== undefined
          ? { nextPageToken: tokenFor(world.place(search.by, last), about) }
          : {}),
        isLast: !more,
      },
      numbers.length,
    );
  }

  function tokenFor({ at, project, number }: Place, about: string): string {
    return Buffer.from(JSON.stringify([at, project, number, world.now(), about])).toString('base64url');
  }

  function placeOf(token: unknown, about: string): Place | null | 'refused' {
    if (token === undefined || token === null) return null;
    const told = typeof token === 'string' ? parsed(Buffer.from(token, 'base64url').toString()) : null;
    if (!Array.isArray(told) || told[4] !== about) return 'refused';
    if (world.now() - numberIn(told[3], 0) > manners.tokenLifetimeMs) return 'refused';
    return { at: numberIn(told[0], 0), project: String(told[1]), number: numberIn(told[2], 0) };
  }

  function dataCenter({ body, base }: JiraAsked): JiraAnswer {
    const search = read(body.jql ?? '', body.validateQuery !== false);
    if ('status' in search) return search;
    const startAt = numberIn(body.startAt, 0);
    const maxResults = Math.min(numberIn(body.maxResults, 50), 1000);
    const changelog = textsIn(body.expand).includes('changelog');
    const fields = body.fields === undefined ? ['*navigable'] : textsIn(body.fields);
    const numbers: number[] = [];
    let total = 0;
    for (const number of matching(search, null)) {
      if (total >= startAt && numbers.length < maxResults) numbers.push(number);
      total += 1;
    }
    return fine({
      expand: 'schema,names',
      startAt,
      maxResults,
      total,
      issues: numbers.map((number) => teller.issue(number, fields, changelog, base)),
    });
  }

  function counted({ body }: JiraAsked): JiraAnswer {
    const search = read(body.jql, false);
    return 'status' in search ? search : fine({ count: [...matching(search, null)].length });
  }

  const fromQuery = (one: JiraAsked): JiraAsked => ({ ...one, body: Object.fromEntries(one.query) });
  const route = (
    method: 'GET' | 'POST',
    path: string,
    answer: (one: JiraAsked) => JiraAnswer,
  ): JiraRoute => ({ method, path, api: 'platform', answer });

  if (world.mode === 'dataCenter') {
    return [
      route('POST', '/search', dataCenter),
      route('GET', '/search', (one) => {
        const sent = fromQuery(one);
        return dataCenter({
          ...sent,
          body: { ...sent.body, validateQuery: asked(sent.body, 'validateQuery') !== 'false' },
        });
      }),
    ];
  }
  return [
    route('POST', '/search/jql', cloud),
    route('GET', '/search/jql', (one) => cloud(fromQuery(one))),
    route('POST', '/search/approximate-count', counted),
    route('POST', '/search', () => refused(410, GONE)),
    route('GET', '/search', () => refused(410, GONE)),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
