import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Fault } from './stand-in-keychain-faults.ts';
import {
  createKeychainRegisterStandIn,
  type KeychainWorld,
  type Said,
} from './stand-in-keychain-register.ts';

/** Which of the product's two base paths are there. */
type KeychainBases = 'old' | 'new' | 'both';

/** What may be told about a stand-in; everything but the world has a default. */
export interface KeychainOptions {
  readonly bases?: KeychainBases;
  /** What requests must carry, as the header. */
  readonly authorization?: string;
  /** False: version 1.4, with the two look-ups and nothing else. */
  readonly lists?: boolean;
  /** `documented`: a number in errors of the look-ups, a text in those of the records. */
  readonly timestamps?: 'documented' | 'number' | 'text';
  /** How the category that covers every other one is stored. */
  readonly general?: 'general' | 'General';
  /** How the list of categories is told. */
  readonly categories?: 'array' | 'values';
}

/** A request as it came. */
interface KeychainCall {
  readonly method: string;
  /** Below the tracker's address. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The user of the stand-in unless told otherwise. */
export const keychainUser = { kind: 'basic', user: 'reader', password: 'correct horse' } as const;

const oldBase = '/rest/delegation/api/1.0';
const newBase = '/rest/delegation/1.0/api';
const basesOf = { old: [oldBase], new: [newBase], both: [oldBase, newBase] };

/** The tracker is below this path. */
const CONTEXT = '/jira';

/** Starts a tracker that speaks the product's REST as its pages document it, and fails on demand. */
export async function startStandInKeychain(
  world: KeychainWorld,
  {
    bases: basesAtFirst = 'old',
    authorization = `Basic ${btoa(`${keychainUser.user}:${keychainUser.password}`)}`,
    lists = true,
    timestamps = 'documented',
    categories = 'array',
    general = 'general',
  }: KeychainOptions = {},
) {
  const register = createKeychainRegisterStandIn(world, general);
  const calls: KeychainCall[] = [];
  let bases = basesAtFirst;
  const faults: Fault[] = [];
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    const body = await text(request);
    const call = {
      method: request.method ?? '',
      path: url.pathname.slice(CONTEXT.length),
      query: Object.fromEntries(url.searchParams),
      body: body === '' ? null : JSON.parse(body),
    };
    calls.push(call);
    // Its clock is that of the tests.
    response.sendDate = false;
    const goOn = () => answer(request, response, call, url.searchParams);
    const fault = faults.shift();
    if (fault === undefined) goOn();
    else fault(response, goOn);
  }

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { method, path, body }: KeychainCall,
    query: URLSearchParams,
  ): void {
    const base = basesOf[bases].find((one) => path.startsWith(`${one}/`));
    const route = base === undefined ? null : path.slice(base.length);
    if (route === null || (!lists && !/^\/delegation\/getDelegat(es|ors)$/.test(route))) {
      // Jira's page for an address that leads nowhere; below a known path its REST says so in JSON of its own.
      if (route === null) response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Dead link</h1>');
      else send(response, 404, { message: `null for uri: ${origin}${CONTEXT}${path}`, 'status-code': 404 });
      return;
    }
    if (request.headers.authorization !== authorization) {
      response
        .writeHead(401, { 'Content-Type': 'text/html' })
        .end('<h1>Unauthorized (401)</h1>Basic Authentication Failure - Reason : AUTHENTICATED_FAILED');
      return;
    }
    if (method === 'GET' && route === '/category') {
      const all = register.categories();
      send(response, 200, categories === 'array' ? all : { values: all });
      return;
    }
    const lookUp = /^\/delegation\/getDelegat(es|ors)$/.test(route);
    const said = lookUp
      ? register.lookUp(route.endsWith('es') ? 'delegator' : 'delegate', query)
      : record(method, route, query, body);
    const form = timestamps === 'documented' ? (lookUp ? 'number' : 'text') : timestamps;
    const failure = said.status < 400 ? {} : { status: said.status, timestamp: register.timestamps[form] };
    send(response, said.status, { ...said.body, ...failure });
  }

  function record(method: string, route: string, query: URLSearchParams, body: unknown): Said {
    const [, id] = /^\/delegation\/([^/]+)$/.exec(route) ?? [];
    const sent = typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {};
    if (method === 'GET') return id === undefined ? register.list(query) : register.get(id);
    if (method === 'POST' && id === undefined) return register.save(null, sent);
    if (method === 'PUT' && id !== undefined) return register.save(id, sent);
    return { status: 405, body: { message: 'Method Not Allowed' } };
  }

  return {
    origin,
    baseUrl: `${origin}${CONTEXT}`,
    /** In the order in which they came. */
    calls,
    /** The next requests meet these, one each. */
    fail(...next: readonly Fault[]): void {
      faults.push(...next);
    },
    /** From now on only these base paths are there. */
    move(to: KeychainBases): void {
      bases = to;
    },
    /** Ends also what nobody has answered. */
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json;charset=UTF-8' }).end(JSON.stringify(body));
}
