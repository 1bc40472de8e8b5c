import { Agent } from 'undici';
import { AppError } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { RequestCounts } from '../model/sync.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { backoffMs, type Judgement } from './retry-policy.ts';
import { type HttpAnswer, type HttpRequest, type NoAnswer, PAUSED, sendOnce } from './send-once.ts';

const CONNECTIONS = 8;

/** The profile of one service. */
export interface HttpProfile {
  /** Its name at the beginning of a sentence, such as `Jira`. */
  readonly service: string;
  readonly connectTimeoutMs: number;
  /** The time of one try, from the request to the whole answer. */
  readonly timeoutMs: number;
  /** The size of an answer, unpacked. */
  readonly maxMegabytes: number;
  /** Null: without a limit. */
  readonly requestsPerMinute: number | null;
}

/** The address of requests, and their credentials. */
export interface HttpCredentials {
  /** Address that paths follow, without a slash at the end. */
  readonly base: string;
  /** The value of the header; null: anonymous. */
  readonly authorization: string | null;
  /** Takes the secrets out of a text that came from outside. */
  hide(text: string): string;
}

/** The source of credentials. */
export interface CredentialProvider<Own extends HttpCredentials> {
  /** Fails with `unavailable` while there are none. */
  current(): Promise<Own>;
  /** Others than those that were just refused; null where there are none. */
  renew(refused: Own): Promise<Own | null>;
}

/** HttpCredentials that never change. */
export function fixedCredentials<Own extends HttpCredentials>(credentials: Own): CredentialProvider<Own> {
  return { current: async () => credentials, renew: async () => null };
}

/** One try of a request, as it ended. */
export interface HttpCall {
  /** The name of the profile. */
  readonly service: string;
  /** The template of its endpoint, where the request names one; null: it does not. */
  readonly endpoint: string | null;
  readonly outcome: 'ok' | 'client_error' | 'rate_limited' | 'server_error' | 'no_answer';
  readonly ms: number;
  /** The requests that the service says it still takes (`X-RateLimit-Remaining`); null: it does not say. */
  readonly remaining: number | null;
}

/** The dependencies on the outside world. */
export interface HttpSurroundings {
  /** Is called after each try. */
  readonly onCall?: ((call: HttpCall) => void) | undefined;
  readonly now: () => Instant;
  /** Resolves after a number of ms, or when aborted; keeps no process alive. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Aborts after a number of ms. */
  readonly deadline: (ms: number) => AbortSignal;
}

/** A request to a service. */
export interface ServiceRequest {
  readonly method: HttpRequest['method'];
  /** Follows the base of the credentials, with a slash before it. */
  readonly path: string;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Becomes JSON, or is a form. */
  readonly body?: Readonly<Record<string, unknown>> | URLSearchParams | undefined;
  readonly accept?: string | undefined;
  /** The time of one try, where that is less than usual. */
  readonly timeoutMs?: number | undefined;
  /** Ends the request with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The key of its rate limit; the path by default. */
  readonly endpoint?: string | undefined;
  /** A user waits for it: it goes first. */
  readonly isPriority?: boolean | undefined;
}

/** The credentials of a request, and the judgement of its answers. */
interface Sending<Judged extends Judgement, Own extends HttpCredentials> {
  readonly credentials: CredentialProvider<Own>;
  readonly judge: (outcome: HttpAnswer | NoAnswer, used: Own) => Judged;
}

/** The end of a request: the judgement of its last try, and the credentials of that one. */
interface HttpResult<Judged, Own> {
  readonly judged: Judged;
  readonly outcome: HttpAnswer | NoAnswer;
  readonly credentials: Own;
  /** The number of failures in a row, where the request was given up for them; else null. */
  readonly gaveUpAfter: number | null;
}

/** Speaks to one service over connections of its own, which keep no process alive. */
interface HttpClient {
  /**
   * Sends a request until `judge` finds a try final, or it was tried often enough. Rejects only when closed, by `signal`,
   * or without credentials.
   */
  request<Judged extends Judgement, Own extends HttpCredentials>(
    request: ServiceRequest,
    sending: Sending<Judged, Own>,
  ): Promise<HttpResult<Judged, Own>>;
  /** Since it was created. */
  counts(): RequestCounts;
  close(): Promise<void>;
}

/**
 * A client by a profile. undici's own `retry` was not enough: it reads the machine's clock, knows no refused
 * credentials and no answer that is wrong only in its text, and requests the rest of a broken answer by `Range`.
 */
export function createHttpClient(
  profile: HttpProfile,
  { now, wait, random, deadline, onCall = () => {} }: HttpSurroundings,
): HttpClient {
  const { service, connectTimeoutMs, timeoutMs, maxMegabytes, requestsPerMinute } = profile;
  const maxBytes = maxMegabytes * 1_000_000;
  const agent = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBytes,
  });
  const closing = new AbortController();
  const limiter =
    requestsPerMinute === null
      ? null
      : createRateLimiter({ requestsPerMinute, now, wait, closing: closing.signal });
  const counted = { sent: 0, repeated: 0, slowedDown: 0 };

  async function send(request: ServiceRequest, used: HttpCredentials) {
    const signals = [deadline(request.timeoutMs ?? timeoutMs), closing.signal];
    if (request.signal !== undefined) signals.push(request.signal);
    const begun = performance.now();
    const outcome = await sendOnce(
      { ...overTheLine(request, used.base), authorization: used.authorization },
      { dispatcher: agent, now, deadline: AbortSignal.any(signals), maxBytes },
    );
    return { outcome, ms: performance.now() - begun };
  }

  async function tryOnce<Own extends HttpCredentials>(
    request: ServiceRequest,
    { credentials, isFirst }: { readonly credentials: CredentialProvider<Own>; readonly isFirst: boolean },
  ) {
    const { path, endpoint = path, isPriority = false, signal } = request;
    const task = async () => {
      signal?.throwIfAborted();
      // Only now: those of before a long wait may have ended.
      const used = await credentials.current();
      counted.sent++;
      if (!isFirst) counted.repeated++;
      return { kind: 'tried' as const, used, ...(await send(request, used)) };
    };
    closing.signal.throwIfAborted();
    const tried = await (limiter === null ? task() : limiter.run({ endpoint, isPriority }, task));
    // Not in the task, which may run while another request waits for its turn.
    if (tried.kind === 'tried') {
      const named = request.endpoint ?? null;
      onCall({ service, endpoint: named, ...outcomeOf(tried.outcome), ms: tried.ms });
    }
    closing.signal.throwIfAborted();
    signal?.throwIfAborted();
    if (tried.kind === 'tried') return tried;
    const outcome: NoAnswer = {
      kind: 'none',
      code: PAUSED,
      sent: false,
      cause: null,
      pausedUntil: tried.until,
    };
    return { outcome, used: await credentials.current() };
  }

  async function pauseFor(ms: number): Promise<void> {
    await wait(ms, closing.signal);
    closing.signal.throwIfAborted();
  }

  return {
    async request(request, { credentials, judge }) {
      const { path, endpoint = path } = request;
      let failures = 0;
      let slowDowns = 0;
      let isRenewed = false;
      for (let tries = 0; ; tries++) {
        const { outcome, used } = await tryOnce(request, { credentials, isFirst: tries === 0 });
        const judged = judge(outcome, used);
        const { next, tries: maxTries, waitMs = 0, everywhere = false } = judged;
        const result = { judged, outcome, credentials: used, gaveUpAfter: null };
        switch (next) {
          case 'final':
            return result;
          case 'renew':
            if (isRenewed || (await credentials.renew(used)) === null) return result;
            isRenewed = true;
            break;
          case 'retry':
            failures++;
            if (failures === maxTries) return { ...result, gaveUpAfter: failures };
            await pauseFor(Math.max(waitMs, backoffMs(failures, random)));
            break;
          case 'slowDown': {
            slowDowns++;
            counted.slowedDown++;
            const pause = Math.max(waitMs, backoffMs(slowDowns, random));
            limiter?.pause(everywhere ? null : endpoint, now() + pause);
            if (slowDowns === maxTries) return { ...result, gaveUpAfter: slowDowns };
            if (limiter === null) await pauseFor(pause);
          }
        }
      }
    },
    counts: () => ({ ...counted }),
    async close() {
      closing.abort(new AppError('stopping', `${service} is no longer asked: Dwell is stopping.`));
      await agent.destroy();
    },
  };
}

function outcomeOf(outcome: HttpAnswer | NoAnswer): Pick<HttpCall, 'outcome' | 'remaining'> {
  if (outcome.kind === 'none') return { outcome: 'no_answer', remaining: null };
  const { status, headers } = outcome;
  const given = headers.get('x-ratelimit-remaining') ?? '';
  const failure = status === 429 ? 'rate_limited' : status >= 500 ? 'server_error' : 'client_error';
  return {
    outcome: status >= 400 ? failure : 'ok',
    remaining: /^\d+$/.test(given) ? Number(given) : null,
  };
}

function overTheLine(
  { method, path, query = {}, body, accept }: ServiceRequest,
  base: string,
): Omit<HttpRequest, 'authorization'> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, value);
  }
  const url = `${base}${path}${parameters.size === 0 ? '' : `?${parameters}`}`;
  if (body instanceof URLSearchParams) {
    const bodyType = 'application/x-www-form-urlencoded';
    return { method, url, body: body.toString(), bodyType, accept };
  }
  return { method, url, body: body === undefined ? null : JSON.stringify(body), accept };
}
