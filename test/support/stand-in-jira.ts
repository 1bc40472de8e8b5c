import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type JiraAnswer, refused } from './stand-in-jira-answer.ts';
import type { JiraFault } from './stand-in-jira-faults.ts';
import { issueRoutes } from './stand-in-jira-issues.ts';
import { createLimiter, type JiraLimits } from './stand-in-jira-limits.ts';
import { listRoutes } from './stand-in-jira-lists.ts';
import { type JiraManners, Untellable, usualManners } from './stand-in-jira-manners.ts';
import { createRights, rightsRoutes } from './stand-in-jira-rights.ts';
import { answerCheck } from './stand-in-jira-schemas.ts';
import { searchRoutes } from './stand-in-jira-search.ts';
import { createTeller } from './stand-in-jira-told.ts';
import type { JiraWorld } from './stand-in-jira-world.ts';

export interface JiraOptions {
  readonly manners?: Partial<JiraManners>;
  /** Whether answers of Cloud are held against Atlassian's documents: all, one in 50, or none. */
  readonly validate?: boolean | 'sample';
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
}

/** Which requests a fault is for: a part of the path, a pattern for `METHOD path`, or a question. */
type JiraMatch = string | RegExp | ((call: JiraCall) => boolean);

/** A stand-in for Jira, on a loopback port. */
export type StandInJira = Awaited<ReturnType<typeof startStandInJira>>;

/** The account that a stand-in lets in. */
export const jiraAccount = {
  email: 'sync@tallow.example',
  token: 'correct-horse-battery',
  pat: 'staple-of-correct-horses',
};

/** Answers from this size on come packed, as Tomcat sends them. */
const MIN_PACKED_BYTES = 2048;

/** One of 50 answers is checked in a sample. */
const SAMPLE = 50;

/** Starts a Jira, Cloud or Data Center as its world says, and fails on demand. */
export async function startStandInJira(
  world: JiraWorld,
  { manners: wishes = {}, validate = true, limits = null, packs = true }: JiraOptions = {},
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
  const limiter = createLimiter(limits, world.now);
  const check = validate === false || mode === 'dataCenter' ? null : answerCheck();
  const calls: JiraCall[] = [];
  const violations: string[] = [];
  const faults: { readonly match: JiraMatch; readonly fault: JiraFault; times: number }[] = [];
  const bytes = { plain: 0, sent: 0 };
  let checkable = 0;
  const context = mode === 'cloud' ? '' : '/jira';

  const server = createServer((request, response) => void take(request, response));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    const body = parsed(await text(request).catch(() => ''));
    const place = placeOf(url.pathname);
    const call: JiraCall = {
      method: request.method ?? '',
      path: place?.path ?? url.pathname,
      query: Object.fromEntries(url.searchParams),
      body,
      at: world.now(),
    };
    calls.push(call);
    response.sendDate = false;
    response.setHeader('Date', new Date(world.now()).toUTCString());
    const takesPacked = packs && /\bgzip\b/.test(String(request.headers['accept-encoding']));
    const answered = () => answer(request.headers.authorization, url, place, call);
    const goOn = () => {
      try {
        send(response, answered(), takesPacked);
      } catch (error) {
        if (!(error instanceof Untellable)) throw error;
        if (error.how === 'error') send(response, refused(500, error.message), takesPacked);
        else manners.onSilence();
      }
    };
    const waiting = faults.findIndex(({ match }) => matches(match, call));
    const next = faults[waiting];
    if (next === undefined) return goOn();
    next.times -= 1;
    if (next.times === 0) faults.splice(waiting, 1);
    next.fault(response, goOn, () => {
      const { status, body } = answered();
      return { status, text: JSON.stringify(body) };
    });
  }

  /** Where in the interface an address leads; null: nowhere in it. */
  function placeOf(pathname: string) {
    const local = pathname.startsWith(`${context}/`) ? pathname.slice(context.length) : '';
    const [, kind, version, path] = /^\/rest\/(api|agile)\/([\d.]+|latest)(\/.*)$/.exec(local) ?? [];
    if (kind === undefined || path === undefined) return null;
    if (kind === 'agile') return { api: 'software' as const, path };
    return version === '3' && mode === 'dataCenter' ? null : { api: 'platform' as const, path };
  }

  function answer(
    authorization: string | undefined,
    { pathname, searchParams: query }: URL,
    place: ReturnType<typeof placeOf>,
    { method, body }: JiraCall,
  ): JiraAnswer {
    if (place === null) return refused(404, `null for uri: ${pathname}`);
    const { email, token, pat } = jiraAccount;
    if (authorization !== (mode === 'cloud' ? `Basic ${btoa(`${email}:${token}`)}` : `Bearer ${pat}`)) {
      return {
        ...refused(401, 'Client must be authenticated to access this resource.'),
        headers: { 'X-Seraph-LoginReason': 'AUTHENTICATED_FAILED' },
      };
    }
    const { api, path } = place;
    const route = routes.find((one) => one.method === method && one.api === api && one.pattern.test(path));
    if (route === undefined || manners.absent.has(route.path))
      return refused(404, `null for uri: ${pathname}`);
    const over = limiter.pass(`${route.method} ${route.path}`);
    if (over !== null) return over;
    if (manners.forbidden.has(route.path)) return refused(403, 'You do not have permission to do that.');
    const id = decodeURIComponent(route.pattern.exec(path)?.[1] ?? '');
    const made = route.answer(
      { query, body: body !== null && typeof body === 'object' ? { ...body } : {} },
      id,
    );
    limiter.charge(made);
    checkable += 1;
    if (validate === 'sample' && checkable % SAMPLE !== 1) return made;
    const whole = api === 'platform' ? `/rest/api/3${path}` : `/rest/agile/1.0${path}`;
    const problem = check?.(method, whole, made.status, made.body) ?? null;
    if (problem === null) return made;
    violations.push(problem);
    return refused(500, problem);
  }

  function send(response: ServerResponse, { status, body, headers }: JiraAnswer, takesPacked: boolean): void {
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
    manners,
    rights,
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
