import { Keyv } from 'keyv';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { AddPoints } from '../concurrency/rate-limits.ts';
import { type Outage, systemCode } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import {
  type Backing,
  type Entries,
  type Entry,
  json,
  overKeyv,
  type SharedCache,
  strict,
} from './namespace.ts';

/** The time a caller can wait for a cache. */
const ANSWER_MS = 1_000;
const CONNECT_MS = 5_000;
/** A connection on which nothing comes for that long is another one's turn; a healthy one has its pings. */
const SILENT_MS = 5_000;
const PING_MS = 2_000;
const MAX_PAUSE_MS = 5_000;

/** A Redis that is away meets every question. */
const TOLD_APART_MS = 60_000;

/** Before the names of our namespaces, as others may use the same Redis. */
const PREFIX = 'dwell';

/** The address of Redis, and the report of its problems. */
interface RedisParts {
  /** May hold a password, so it is never part of a message. */
  readonly url: string;
  readonly now: () => Instant;
  /** Called once a minute at most. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Connects to Redis; resolves after the first attempt, successful or not, and others follow until the end. No call
 * waits for it: while it is away everything is missing, and nothing is remembered. The number of entries of a namespace
 * is up to Redis itself (`maxmemory`).
 */
export async function openRedis({ url, now, onProblem }: RedisParts): Promise<SharedCache> {
  // Loaded only where it is wanted: it is a third of what starts.
  const { default: KeyvRedis, createClient } = await import('@keyv/redis');
  let isClosed = false;
  let reason = unreachable(url, null);
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (error: unknown) => {
    if (isClosed || Math.abs(now() - toldAt) < TOLD_APART_MS) return;
    toldAt = now();
    onProblem(error);
  };
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: ANSWER_MS },
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (tries, cause) => (isClosed ? cause : Math.min(100 * 2 ** tries, MAX_PAUSE_MS)),
    },
  });
  // Every namespace listens to it.
  client.setMaxListeners(0);
  client.on('error', (error) => {
    reason = unreachable(url, error);
    tell(error);
  });
  client.on('ready', () => {
    reason = unreachable(url, null);
  });
  const tried = new Promise<void>((resolve) => client.once('ready', resolve).once('error', () => resolve()));
  // It ends with an error only where it is closed.
  client.connect().catch(tell);
  await tried;

  // The client waits without end for the answer to what is on the wire.
  let isSilent = false;
  const inTime: InTime = async (ask) => {
    if (isSilent) throw new Error(NO_ANSWER);
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(NO_ANSWER)), ANSWER_MS).unref();
    tooLate.catch(waitForItsVoice);
    try {
      return await Promise.race([ask(), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  };

  /** No request is sent before it has answered, or a new connection is made: only the first few wait. */
  function waitForItsVoice(): void {
    if (isSilent || !client.isReady) return;
    isSilent = true;
    const hear = () => {
      isSilent = false;
    };
    client.ping().then(hear, hear);
  }

  const orElse: OrElse = async (ask, other) => {
    try {
      return await inTime(ask);
    } catch (error) {
      tell(error);
      return other;
    }
  };

  const forTenant = (tenant: string): Backing => {
    return <Value>(name: string) => {
      const namespace = `${PREFIX}:${tenant}:${name}`;
      const store = new KeyvRedis(client, { namespace, throwOnErrors: true });
      const keyv = new Keyv<Entry<Value>>({ ...strict, ...json, store, useKeyPrefix: false });
      keyv.namespace = namespace;
      return forgiving(overKeyv(keyv), inTime, orElse);
    };
  };
  /** Points by key, which Redis itself forgets at the end of their window. */
  const addPoints = (tenant: string): AddPoints => {
    const keyPrefix = `${PREFIX}:${tenant}:limits`;
    const limiter = new RateLimiterRedis({
      storeClient: client,
      useRedisPackage: true,
      keyPrefix,
      // Not used: points are added, and each time comes with its own window.
      points: 1,
      duration: 1,
    });
    return async (key, points, seconds) => {
      const count = await orElse(() => limiter.penalty(key, points, { customDuration: seconds }), null);
      return count === null ? null : { points: count.consumedPoints, msLeft: count.msBeforeNext };
    };
  };
  return {
    forTenant,
    addPoints,
    outage: () => (client.isReady && !isSilent ? null : { state: 'unreachable', reason }),
    async close() {
      isClosed = true;
      // Earlier requests are answered before this one; the client's own `close` would wait for them without end.
      if (client.isReady) await inTime(() => client.ping()).catch(() => {});
      if (client.isOpen) client.destroy();
    },
  };
}

const NO_ANSWER = `Redis did not answer within ${ANSWER_MS} ms`;

/** The facts that a Redis gives of itself. */
export interface RedisFacts {
  /** Null where it does not say. */
  readonly version: string | null;
  /** The memory (bytes) from which on it drops entries; 0: it has no limit; null where it does not say. */
  readonly maxMemory: number | null;
}

/** Asks a Redis for its facts, over a connection of its own; a sentence without the password where it cannot be used. */
export async function askRedis(url: string): Promise<RedisFacts | Outage['reason']> {
  const { createClient } = await import('@keyv/redis');
  const socket = { connectTimeout: CONNECT_MS, socketTimeout: SILENT_MS, reconnectStrategy: false as const };
  const client = createClient({ url, disableOfflineQueue: true, socket });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    // A service may not let everyone read it.
    const text = await client.info().catch(() => '');
    const memory = /^maxmemory:(\d+)/m.exec(text)?.[1];
    return {
      version: /^redis_version:(\S+)/m.exec(text)?.[1] ?? null,
      maxMemory: memory === undefined ? null : Number(memory),
    };
  } catch (error) {
    return unreachable(url, error);
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/** Waits for an answer, but not for long: fails then. */
type InTime = <Result>(ask: () => Promise<Result>) => Promise<Result>;

/** The same; gives another result where there is no answer. */
type OrElse = <Result, Other>(ask: () => Promise<Result>, other: Other) => Promise<Result | Other>;

/** Entries that cannot be read in time are missing, and failed writes are dropped. */
function forgiving<Value>(entries: Entries<Value>, inTime: InTime, orElse: OrElse): Entries<Value> {
  return {
    get: (key) => orElse(() => entries.get(key), undefined),
    set: (...given) => orElse(() => entries.set(...given), undefined),
    delete: (key) => orElse(() => entries.delete(key), undefined),
    change: (...given) => inTime(() => entries.change(...given)),
    all: () => orElse(() => entries.all(), []),
  };
}

/** The reason why Redis cannot be used, as a sentence without the password of its address. */
function unreachable(url: string, cause: unknown): Outage['reason'] {
  const { host } = new URL(url);
  const error = cause instanceof Error && 'originalError' in cause ? cause.originalError : cause;
  const code = systemCode(error);
  const why = code ?? (error instanceof Error ? error.message : NO_ANSWER);
  return `The Redis of KEYV_URL at ${host} cannot be used: ${why}.`;
}
