import { isIP, SocketAddress } from 'node:net';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { AppError } from '../model/error.ts';
import type { Principal } from '../model/request.ts';
import { supervisedPaths } from './admission.ts';
import { noteRequest } from './request-scope.ts';

/** The kinds of senders that are counted, each by the setting with its limit. */
const limitSettings = {
  token: 'MAX_REQUESTS_PER_MINUTE',
  address: 'MAX_REQUESTS_PER_MINUTE_PER_ADDRESS',
  tenant: 'MAX_REQUESTS_PER_MINUTE_PER_TENANT',
} as const;

type Sender = keyof typeof limitSettings;

/** Requests that a sender can send in a minute; null: any number. */
export type RequestLimits = Readonly<Record<Sender, number | null>>;

/** Points of a key in the running window, and the time (ms) until a new one begins. */
interface Count {
  readonly points: number;
  readonly msLeft: number;
}

/**
 * Adds points to a key that all processes share. The first ones begin a window of a number of seconds. Null where the
 * store of these counts does not answer.
 */
export type AddPoints = (key: string, points: number, seconds: number) => Promise<Count | null>;

/** The members of a request and of its answer over HTTP that are read and set. */
interface Request {
  /** The path of its door, and the path within that. */
  readonly baseUrl: string;
  readonly path: string;
  /** The client's address, as trusted proxies name it. */
  readonly ip?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
  get(name: string): string | undefined;
}

interface Answer {
  readonly statusCode: number;
  set(headers: Readonly<Record<string, string>>): unknown;
  once(event: 'finish', listener: () => void): unknown;
}

/** Counts requests, and refuses those over a limit as `too-many-requests`. Answers have headers with the limit. */
export interface RateLimits {
  /** Counts a request for the address that it is from, before its token is read. */
  arrive(request: Request, response: Answer): Promise<void>;
  /** Counts a request for its token and its tenant. */
  admit(principal: Principal, response: Answer): Promise<void>;
}

/** Networks that no client on the internet is in, as `networkOf` writes them: this machine, and private ones. */
const privateNetwork =
  /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0:0:0:0::|^f[cd][\da-f]{2}:|^fe[89ab][\da-f]:/;

/** A window of limits. */
const WINDOW_SECONDS = 60;

/** A request whose token is missing or invalid counts this many times. */
const FAILED_POINTS = 5;

/** Counts go to the store that processes share once in this time (ms). */
const SHARED_EVERY_MS = 100;

interface RateLimitsParts {
  readonly limits: RequestLimits;
  /** The token that a principal was proved by; null: none. */
  readonly tokenOf: (principal: Principal) => string | null;
  /** Null: each process counts for itself. */
  readonly shared: AddPoints | null;
  /** No proxy is trusted. */
  readonly trustsNoProxy: boolean;
  readonly warn: (text: string) => void;
  readonly onRefused: (refusal: { readonly why: Sender }) => void;
}

/**
 * Creates the limits of a process. No request waits for the shared counts: each is counted in this process at once, and
 * what all processes have counted follows every tenth of a second. While the shared counts do not answer, those of this
 * process go on.
 */
export function createRateLimits({
  limits,
  tokenOf,
  shared,
  trustsNoProxy,
  warn,
  onRefused,
}: RateLimitsParts): RateLimits {
  const counters = {
    token: createCounter('token', limits.token, shared),
    address: createCounter('address', limits.address, shared),
    tenant: createCounter('tenant', limits.tenant, shared),
  };
  let hasWarned = false;

  /** Counts a request; the headers that say what is left, none without a limit. */
  async function count(sender: Sender, key: string): Promise<Readonly<Record<string, string>>> {
    const counter = counters[sender];
    if (counter === null) return {};
    const { max, add } = counter;
    const { points: used, msLeft } = await add(key, 1);
    const seconds = Math.max(1, Math.ceil(msLeft / 1000));
    const headers = {
      'RateLimit-Policy': `"${sender}";q=${max};w=${WINDOW_SECONDS}`,
      RateLimit: `"${sender}";r=${Math.max(0, max - used)};t=${seconds}`,
    };
    if (used <= max) return headers;
    onRefused({ why: sender });
    noteRequest({ reason: 'too-many-requests', limit: sender });
    throw new TooManyRequests(sender, max, seconds, headers);
  }

  /**
   * Returns true for a request of a proxy beside this machine that no one has named. All clients behind it would have one
   * address, and any of them could use up the limit of all.
   */
  function isOfUnknownProxy(request: Request): boolean {
    if (!trustsNoProxy || request.get('x-forwarded-for') === undefined) return false;
    const isPrivate = privateNetwork.test(networkOf(request.socket.remoteAddress) ?? '');
    if (!hasWarned) {
      hasWarned = true;
      const effect = isPrivate ? 'none of them is limited by its address' : 'all of them count as one client';
      warn(
        `Requests from ${request.socket.remoteAddress} have the header X-Forwarded-For, which is not trusted, so that ${effect}. If a proxy of yours sends them, add its address to TRUSTED_PROXIES.`,
      );
    }
    return isPrivate;
  }

  return {
    async arrive(request, response) {
      if (supervisedPaths.has(request.baseUrl + request.path) || isOfUnknownProxy(request)) return;
      const key = networkOf(request.ip) ?? networkOf(request.socket.remoteAddress) ?? '';
      response.once('finish', () => {
        if (response.statusCode === 401) void counters.address?.add(key, FAILED_POINTS - 1);
      });
      response.set(await refusing(response, count('address', key)));
    },
    async admit(principal, response) {
      const { tenant } = principal;
      // A request over its own limit takes nothing from the others of its tenant.
      const own = await refusing(response, count('token', tokenOf(principal) ?? principal.account));
      await refusing(response, count('tenant', tenant));
      response.set(own);
    },
  };
}

/** Sets the headers of the limit that a request is over. */
async function refusing<Result>(response: Answer, counting: Promise<Result>): Promise<Result> {
  return counting.catch((error: unknown) => {
    if (error instanceof TooManyRequests) response.set(error.headers);
    throw error;
  });
}

/** A request over a limit, with the headers that describe it. */
class TooManyRequests extends AppError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(sender: Sender, max: number, seconds: number, headers: Readonly<Record<string, string>>) {
    const whose = { token: 'This token', address: 'Your address', tenant: 'All clients together' }[sender];
    const counted = sender === 'address' ? ` Each without a valid token counts as ${FAILED_POINTS}.` : '';
    super(
      'too-many-requests',
      'Too many requests',
      [
        `${whose} sent more than ${max} requests in a minute.${counted} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}. An admin can change the limit: ${limitSettings[sender]}.`,
      ],
      { data: { retryAfterSeconds: seconds } },
    );
    this.name = 'TooManyRequests';
    this.headers = headers;
  }
}

/** Counts by key in this process, and in the shared counts behind it. Null without a limit. */
function createCounter(sender: Sender, max: number | null, shared: AddPoints | null) {
  if (max === null) return null;
  const memory = new RateLimiterMemory({ points: max, duration: WINDOW_SECONDS });
  /** Points by key that the shared counts do not have yet. */
  const unsent = new Map<string, number>();

  async function send(addPoints: AddPoints): Promise<void> {
    const sent = [...unsent];
    unsent.clear();
    await Promise.all(
      sent.map(async ([key, points]) => {
        const all = await addPoints(`${sender}:${key}`, points, WINDOW_SECONDS);
        // Requests that were counted here meanwhile are not among them.
        if (all !== null)
          await memory.set(key, all.points + (unsent.get(key) ?? 0), Math.max(1, all.msLeft) / 1000);
      }),
    );
  }

  return {
    max,
    async add(key: string, points: number): Promise<Count> {
      const { consumedPoints, msBeforeNext } = await memory.penalty(key, points);
      if (shared !== null) {
        if (unsent.size === 0) setTimeout(() => void send(shared), SHARED_EVERY_MS).unref();
        unsent.set(key, (unsent.get(key) ?? 0) + points);
      }
      return { points: consumedPoints, msLeft: msBeforeNext };
    },
  };
}

/**
 * The part of an address that one client has: all of IPv4, the first 64 bits of IPv6, whose other half a client chooses.
 * Null for a text that is no address, with or without a port.
 */
export function networkOf(text: string | undefined): string | null {
  const given = (text ?? '').trim().replace(/%.*$/, '');
  const address = isIP(given) === 0 ? SocketAddress.parse(given)?.address : given;
  if (address === undefined) return null;
  if (isIP(address) === 4) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  // A dotted end takes the place of two groups.
  const missing = 8 - groups(address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0')).length;
  const zeros = tail === undefined ? [] : new Array<string>(missing).fill('0');
  const first = [...groups(head), ...zeros, ...groups(tail ?? '')].slice(0, 4);
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
