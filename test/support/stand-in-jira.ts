import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type JiraAnswer, type JiraRoute, refused } from './stand-in-jira-answer.ts';
import type { JiraFault } from './stand-in-jira-faults.ts';
import { issueRoutes } from './stand-in-jira-issues.ts';
import { createLimiter, type JiraLimits } from './stand-in-jira-limits.ts';
import { listRoutes } from './stand-in-jira-lists.ts';
import { type JiraManners, Untellable, usualManners } from './stand-in-jira-manners.ts';
import { createAtlassian, type JiraApp } from './stand-in-jira-oauth.ts';
import { createRights, rightsRoutes } from './stand-in-jira-rights.ts';
import { answerCheck } from './stand-in-jira-schemas.ts';
import { searchRoutes } from './stand-in-jira-search.ts';
import { createTeller } from './stand-in-jira-told.ts';
import type { JiraWorld } from './stand-in-jira-world.ts';

/** What may be told about a stand-in; everything has a default. */
export interface JiraOptions {
  readonly manners?: Partial<JiraManners>;
  /** Whether answers of Cloud are held against Atlassian's documents: all, one in 50, or none. */
  readonly validate?: boolean | 'sample';
  /** Makes it an app that people have to agree to. */
  readonly app?: JiraApp | null;
  readonly limits?: JiraLimits | null;
  /** Whether answers come packed for who can unpack them, as both products do it. */
  readonly packs?: boolean;
}

/** A request as it came. */
interface JiraCall {
  readonly method: string;
  /** Below the base of the interface, such as `/search/jql`; whole where it leads elsewhere. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The tracker's clock, epoch ms. */
  readonly at: number;
  /** 0 until it was answered, and where it never was. */
  status: number;
  points: number;
}

/** Which requests a fault is for: a part of the path, a pattern for `METHOD path`, or a question. */
type JiraMatch = string | RegExp | ((call: JiraCall) => boolean);

/** A stand-in for Jira, on a loopback port. */
export type StandInJira = Awaited<ReturnType<typeof startStandInJira>>;

/** As whom a stand-in lets in, unless it is an app. */
export const jiraAccount = {
  email: 'sync@tallow.example',
  token: 'correct-horse-battery',
  pat: 'staple-of-correct-horses',
};

/** Answers from this size on come packed, as Tomcat sends them. */
const MIN_PACKED_BYTES = 2048;

/** One of so many answers is checked in a sample. */
const SAMPLE = 50;

/** Starts a Jira, Cloud or Data Center as its world says, and fails on demand. */
export async function startStandInJira(
  world: JiraWorld,
  { manners: wishes = {}, validate = true, app = null, limits = null, packs = true }: JiraOptions = {},
) {
  const { mode } = world;
  const manners: JiraManners = { ...usualManners(), ...wishes };
  const rights = createRights(world);
  const teller = createTeller(world, manners);
  const routes = [
    ...issueRoutes(world, manners, teller),
    ...searchRoutes(world, manners, teller),
    ...listRoutes(world, manners),
    ...rightsRoutes(world, manners, rights),
  ].map((route) => ({ ...route, pattern: new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`) }));
  // What stands in a path by name comes before what stands there as an id.
  routes.sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')));
  const limiter = createLimiter(limits, app !== null, world.now);
  const atlassian = app === null ? null : createAtlassian(app, world.site, world.now);
  const check = validate === false || mode === 'dataCenter' ? null : answerCheck();
  const calls: JiraCall[] = [];
  const violations: string[] = [];
  const faults: { readonly match: JiraMatch; readonly fault: JiraFault; times: number }[] = [];
  const context = mode === 'cloud' ? '' : '/jira';
  const bytes = { plain: 0, sent: 0 };
  let answered = 0;

  const server = createServer((request, response) => void take(request, response));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    const sent = await text(request).catch(() => '');
    const place = placeOf(url.pathname);
    const call: JiraCall = {
      method: request.method ?? '',
      path: place?.path ?? url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: parsed(sent),
      at: world.now(),
      status: 0,
      points: 0,
    };
    calls.push(call);
    response.sendDate = false;
    response.setHeader('Date', new Date(world.now()).toUTCString());
    const waiting = faults.findIndex(({ match }) => matches(match, call));
    const goOn = () => {
      const takesPacked = packs && /\bgzip\b/.test(String(request.headers['accept-encoding']));
      try {
        send(response, call, answer(request, url, place, call), takesPacked);
      } catch (error) {
        if (!(error instanceof Untellable)) throw error;
        if (error.how === 'error') send(response, call, refused(500, error.message), takesPacked);
        else manners.onSilence();
      }
    };
    const next = faults[waiting];
    if (next === undefined) return goOn();
    next.times -= 1;
    if (next.times === 0) faults.splice(waiting, 1);
    response.once('finish', () => {
      call.status = response.statusCode;
    });
    next.fault(response, goOn, () => {
      const { status, body } = answer(request, url, place, call);
      return { status, text: JSON.stringify(body) };
    });
  }

  /** Where in the interface an address leads; null: nowhere in it. */
  function placeOf(pathname: string) {
    const [, cloudId, below] = /^\/gateway\/ex\/jira\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
    const local = below ?? (pathname.startsWith(`${context}/`) ? pathname.slice(context.length) : null);
    const [, kind, version, path] = /^\/rest\/(api|agile)\/([\d.]+|latest)(\/.*)$/.exec(local ?? '') ?? [];
    if (kind === undefined || path === undefined) return null;
    if (kind === 'agile') return { api: 'software' as const, path, cloudId };
    return version === '3' && mode === 'dataCenter' ? null : { api: 'platform' as const, path, cloudId };
  }

  function answer(
    request: IncomingMessage,
    url: URL,
    place: ReturnType<typeof placeOf>,
    call: JiraCall,
  ): JiraAnswer {
    if (place === null) return beside(url, request, call);
    const { authorization } = request.headers;
    if (!letsIn(authorization, place.cloudId)) {
      return {
        status: 401,
        body: { errorMessages: ['Client must be authenticated to access this resource.'], errors: {} },
        headers: { 'X-Seraph-LoginReason': 'AUTHENTICATED_FAILED' },
      };
    }
    const route = routes.find(
      ({ method, api, pattern }) => method === call.method && api === place.api && pattern.test(place.path),
    );
    if (route === undefined || manners.absent.has(route.path))
      return refused(404, `null for uri: ${url.pathname}`);
    const over = limiter.pass(`${route.method} ${route.path}`);
    if (over !== null) return over;
    if (manners.forbidden.has(route.path)) return refused(403, 'You do not have permission to do that.');
    const said = saidBy(route, url, place, call);
    call.points = limiter.charge(said);
    const problem = violation(call.method, place, said);
    if (problem === null) return said;
    violations.push(problem);
    return refused(500, problem);
  }

  function saidBy(
    route: JiraRoute & { readonly pattern: RegExp },
    url: URL,
    place: { readonly path: string; readonly cloudId: string | undefined },
    call: JiraCall,
  ): JiraAnswer {
    const body = call.body !== null && typeof call.body === 'object' ? { ...call.body } : {};
    const base =
      place.cloudId === undefined ? world.site : `https://api.atlassian.com/ex/jira/${place.cloudId}`;
    const asking = { method: call.method, path: place.path, query: url.searchParams, body, base };
    return route.answer(asking, decodeURIComponent(route.pattern.exec(place.path)?.[1] ?? ''));
  }

  function violation(
    method: string,
    { api, path }: { readonly api: JiraRoute['api']; readonly path: string },
    { status, body }: JiraAnswer,
  ): string | null {
    answered += 1;
    if (check === null || (validate === 'sample' && answered % SAMPLE !== 1)) return null;
    const whole = api === 'platform' ? `/rest/api/3${path}` : `/rest/agile/1.0${path}`;
    // What is not sent as JSON, undefined members among it, is no part of the answer.
    return check(method, whole, status, body);
  }

  function letsIn(authorization: string | undefined, cloudId: string | undefined): boolean {
    if (atlassian !== null) {
      return atlassian.sites.some(({ id }) => id === cloudId) && atlassian.knows(authorization);
    }
    const { email, token, pat } = jiraAccount;
    return authorization === (mode === 'cloud' ? `Basic ${btoa(`${email}:${token}`)}` : `Bearer ${pat}`);
  }

  /** What belongs to Atlassian rather than to a site. */
  function beside({ pathname, searchParams }: URL, request: IncomingMessage, call: JiraCall): JiraAnswer {
    if (atlassian !== null && pathname === '/auth/authorize') {
      const location = atlassian.agree(searchParams);
      return location === null
        ? { status: 400, body: { error: 'invalid_request' } }
        : { status: 302, body: {}, headers: { Location: location } };
    }
    if (atlassian !== null && call.method === 'POST' && pathname === '/auth/oauth/token') {
      return atlassian.token(call.body);
    }
    if (atlassian !== null && pathname === '/gateway/oauth/token/accessible-resources') {
      const known = atlassian.knows(request.headers.authorization);
      const scopes = ['read:jira-work', 'read:jira-user'];
      return known
        ? { status: 200, body: atlassian.sites.map((one) => ({ ...one, scopes })) }
        : { status: 401, body: { code: 401, message: 'Unauthorized' } };
    }
    return refused(404, `null for uri: ${pathname}`);
  }

  function send(
    response: ServerResponse,
    call: JiraCall,
    { status, body, headers }: JiraAnswer,
    takesPacked: boolean,
  ): void {
    call.status = status;
    const plain = Buffer.from(JSON.stringify(body));
    const isPacked = takesPacked && plain.length >= MIN_PACKED_BYTES;
    const content = isPacked ? gzipSync(plain, { level: 1 }) : plain;
    bytes.plain += plain.length;
    bytes.sent += content.length;
    response
      .writeHead(status, {
        'Content-Type': 'application/json;charset=UTF-8',
        ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
        'Content-Length': content.length,
        ...headers,
      })
      .end(content);
  }

  return {
    origin,
    /** What the configuration names. */
    baseUrl: `${origin}${context}`,
    /** Where Atlassian's own services are. */
    atlassian: { auth: `${origin}/auth`, api: `${origin}/gateway` },
    world,
    manners,
    rights,
    /** Of an app; null otherwise. */
    tokens: atlassian,
    /** In the order in which they came. */
    calls,
    /** What was sent that Atlassian's documents do not allow. */
    violations,
    faults: {
      /** The next `times` requests that match meet this fault. */
      push(match: JiraMatch, fault: JiraFault, times = 1): void {
        faults.push({ match, fault, times });
      },
      /** How many have not been met yet. */
      left: () => faults.reduce((sum, { times }) => sum + times, 0),
      clear(): void {
        faults.length = 0;
      },
    },
    spent: limiter.spent,
    /** Of the bodies of answers that no fault has changed, before they were packed and as they were sent. */
    bytes: () => ({ ...bytes }),
    /** Ends also what nobody has answered. */
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function matches(match: JiraMatch, call: JiraCall): boolean {
  if (typeof match === 'function') return match(call);
  return typeof match === 'string' ? call.path.includes(match) : match.test(`${call.method} ${call.path}`);
}

function parsed(sent: string): unknown {
  try {
    return sent === '' ? null : JSON.parse(sent);
  } catch {
    return null;
  }
}
