import { z } from 'zod';
import {
  createHttpClient,
  fixedCredentials,
  type HttpSurroundings,
  type ServiceRequest,
} from '../http-client/http-client.ts';
import {
  hideSecrets,
  isSuccess,
  noAnswerWords,
  quote,
  readJson,
  readSchema,
  redirectWords,
} from '../http-client/read-answer.ts';
import { judgeByPolicy } from '../http-client/retry-policy.ts';
import { type HttpAnswer, TOO_SLOW } from '../http-client/send-once.ts';
import { AppError, type Detail, type ErrorCode, type ErrorReason, errorReasons } from '../model/error.ts';

/** One retry: of anything that was not taken (429), and of reading after a failure that may pass. */
const retry = { tries: 2, statuses: [429], safeStatuses: [502, 503, 504], whenSlow: false };

/** The refusal of a service that wants a longer wait is final. */
const MAX_WAIT_MS = 10_000;

/** Well before any whole try ends: then it is certain that nothing was sent. */
const CONNECT_TIMEOUT_MS = 5_000;

/** A service that others host: its address and credentials, and its description in errors. */
export interface HostedService {
  readonly name: string;
  readonly baseUrl: string;
  readonly authorization: string;
  /** Whatever must be in no error. */
  readonly secrets: readonly string[];
  /** The settings that hold its address, its credentials, and the user whose rights count. */
  readonly settings: { readonly address: string; readonly credentials: string; readonly user: string };
  readonly timeoutMs: number;
  readonly maxMegabytes: number;
  /** A sentence that follows the failure of a question that took too long. */
  readonly slowAdvice: string;
  /** A sentence that follows the failure of a change that may have been made. */
  readonly unknownOutcome: string;
  /** Why a 401 was answered, for a sentence. */
  loginProblem(text: string, sentences: readonly string[]): string;
}

/** A request to a hosted service. */
export interface HostedRequest extends Pick<ServiceRequest, 'query' | 'body' | 'signal'> {
  readonly method?: ServiceRequest['method'];
  /** The paths that the documents name for the same thing; the one that answers is remembered, and tried first. */
  readonly paths: readonly string[];
  /** Follows the path. */
  readonly below?: string;
  readonly longestWaitMs?: number;
  /** The reason of a 404 of the service itself, maybe by its message; absent where only the path can be missing. */
  readonly missing?: ErrorReason | ((message: string) => ErrorReason) | undefined;
  /** The end of a sentence, after the name of the service, where it has none of the paths. */
  readonly withoutPath?: string | undefined;
  /** Why it has none; absent: it supports nothing of the kind. */
  readonly withoutPathReason?: 'service-too-old' | undefined;
}

/**
 * Speaks to one service. Every failure is an AppError that names the service, the setting and what was answered:
 * `service-unavailable`, `outcome-unknown` (a change that may have been made), `unsupported-by-service` (it has no such
 * path), and its own refusals as `invalid-value` (400), `missing-right` (403) and the request's `missing` (404).
 */
export interface HostedClient {
  readonly now: HttpSurroundings['now'];
  /** The answer in the schema it should have; an empty one is null. */
  request<Schema extends z.ZodType>(request: HostedRequest, schema: Schema): Promise<z.output<Schema>>;
  /** `what` follows the name of the service. */
  unavailable(what: string, reason?: ErrorReason): AppError;
  hide(text: string): string;
  close(): Promise<void>;
}

/** A client with connections of its own, which keep no process alive. */
export function createHostedClient(service: HostedService, surroundings: HttpSurroundings): HostedClient {
  const { name, settings, authorization, timeoutMs, maxMegabytes } = service;
  const { origin, pathname } = new URL(service.baseUrl);
  const root = pathname.replace(/\/+$/, '');
  const hide = (text: string) => hideSecrets(text, service.secrets);
  const limits = { connectTimeoutMs: CONNECT_TIMEOUT_MS, timeoutMs, maxMegabytes, requestsPerMinute: null };
  const client = createHttpClient({ service: `The ${name}`, ...limits }, surroundings);
  const credentials = fixedCredentials({ base: `${origin}${root}`, authorization, hide });
  /** By the paths it is one of. */
  const working = new Map<readonly string[], string>();

  function unavailable(
    what: string,
    reason: ErrorReason = 'service-unavailable',
    facts: { readonly status?: number; readonly cause?: unknown } = {},
  ): AppError {
    const { cause, ...status } = facts;
    const outcome = reason === 'outcome-unknown' ? ` ${service.unknownOutcome}` : '';
    const data = { service: name, setting: settings.address, ...status };
    const options = cause === undefined ? { data } : { data, cause };
    return new AppError(reason, `The ${name} at ${origin} ${what}${outcome}`, [], options);
  }

  async function sendTo(path: string, request: HostedRequest): Promise<HttpAnswer> {
    const { method = 'GET', query, body, signal, longestWaitMs = MAX_WAIT_MS } = request;
    const isSafe = isReading(request);
    const policy = { ...retry, longestWaitMs };
    const { outcome } = await client.request(
      { method, path, query, body, signal },
      { credentials, judge: (one) => judgeByPolicy(one, policy, { isSafe, now: surroundings.now() }) },
    );
    if (outcome.kind === 'answer') return outcome;
    const { sent, code, cause } = outcome;
    const words = noAnswerWords(outcome, { asked: null, timeoutMs, maxMegabytes, hide });
    const advice = code === TOO_SLOW ? service.slowAdvice : '';
    throw unavailable(words + advice, sent && !isSafe ? 'outcome-unknown' : undefined, { cause });
  }

  /** A 404 of one path says nothing about the others; a service may also change its paths at any time. */
  async function answerTo(request: HostedRequest): Promise<HttpAnswer> {
    const { paths, below = '' } = request;
    const known = working.get(paths);
    let notFound: HttpAnswer | null = null;
    for (const path of known === undefined ? paths : [known, ...paths.filter((one) => one !== known)]) {
      const answer = await sendTo(`${path}${below}`, request);
      if (isSuccess(answer)) {
        working.set(paths, path);
        return answer;
      }
      if (![404, 405, 410].includes(answer.status)) throw refusalOf(answer, request);
      if (notFound === null || readRefusal(notFound) === null) notFound = answer;
      // A path that has answered is believed when it says that something is missing.
      if (path === known && isAboutContent(answer, request)) throw refusalOf(answer, request);
    }
    const refusal = notFound === null ? null : readRefusal(notFound);
    const status = notFound?.status ?? 404;
    if (notFound !== null && isAboutContent(notFound, request)) throw refusalOf(notFound, request);
    if (status === 404) working.delete(paths);
    const names = paths.map((path) => `${root}${path}`);
    const reply = refusal === null ? '' : `: ${quote(refusal.message, { hide }).replace(/\.$/, '')}`;
    const none = `has ${names.length > 1 ? 'neither' : 'no'} ${names.join(' nor ')} (HTTP ${status}${reply}); is ${settings.address} right?`;
    const reason = request.withoutPathReason ?? 'unsupported-by-service';
    throw unavailable(request.withoutPath ?? none, reason, { status });
  }

  function refusalOf(answer: HttpAnswer, request: HostedRequest): AppError {
    const { status, text } = answer;
    const refusal = readRefusal(answer);
    const message = refusal === null ? null : quote(refusal.message, { hide });
    const sentences = (refusal?.messages ?? []).map((one) => quote(one, { hide }));
    if (status >= 300 && status < 400) {
      const words = redirectWords(answer, { asked: null, base: origin, setting: settings.address });
      return unavailable(words, undefined, { status });
    }
    if (status === 401) {
      const reasons = sentences.length > 0 || message === null ? sentences : [message];
      const problem = service.loginProblem(text, reasons).replace(/\.$/, '');
      return unavailable(`refuses ${settings.credentials}: ${problem}.`, undefined, { status });
    }
    if (refusal !== null && message !== null) {
      const data = { service: name, status };
      const reasonFor = (code: ErrorCode, reason: ErrorReason) =>
        refusal.reason !== undefined && errorReasons[refusal.reason] === code ? refusal.reason : reason;
      const fields = Object.fromEntries(
        Object.entries(refusal.errors).map(([field, sentence]) => [field, quote(sentence, { hide })]),
      );
      const names = new Set([...Object.keys(fields), ...namesIn(request)]);
      const detailsOf = (problems: readonly string[]) => problems.map((one) => detailOf(one, names));
      if (status === 400) {
        const problems = sentences.length > 0 ? sentences : new Set([message, ...Object.values(fields)]);
        const reason = reasonFor('bad-request', 'invalid-value');
        return new AppError(reason, 'Bad request', detailsOf([...problems]), { fields, data });
      }
      if (status === 403) {
        const words = [message, ...sentences].map((one) => `${one.replace(/\.$/, '')}.`).join(' ');
        const who = `The user of ${settings.user} lacks this right in the ${name}.`;
        return new AppError(reasonFor('not-allowed', 'missing-right'), `${words} ${who}`, [], { data });
      }
      const { missing } = request;
      if (status === 404 && missing !== undefined) {
        const reason = typeof missing === 'function' ? missing(message) : missing;
        return new AppError(reasonFor('not-found', reason), message, detailsOf(sentences), { fields, data });
      }
    }
    const reply = message === null ? '' : `: ${[message.replace(/\.$/, ''), ...sentences].join(': ')}`;
    const advice = status === 408 || status === 504 ? service.slowAdvice : '';
    const reason = status >= 500 && !isReading(request) ? 'outcome-unknown' : undefined;
    return unavailable(statusWords(status, reply) + advice, reason, { status });
  }

  return {
    now: surroundings.now,
    async request(request, schema) {
      const json = readJson((await answerTo(request)).text || 'null');
      const reason = isReading(request) ? undefined : 'outcome-unknown';
      if (json === undefined) {
        throw unavailable(`answered with something other than JSON; is ${settings.address} right?`, reason);
      }
      const read = readSchema(json, schema, hide);
      if (read.kind === 'read') return read.value;
      throw unavailable(`answered in an unknown format: ${read.difference}.`, reason);
    },
    unavailable: (what, reason) => unavailable(quote(what, { hide }), reason),
    hide,
    close: client.close,
  };
}

/** A 404 is about the requested issue or user, not about the path. */
function isAboutContent(answer: HttpAnswer, { missing }: HostedRequest): boolean {
  const refusal = readRefusal(answer);
  if (answer.status !== 404 || missing === undefined || refusal === null) return false;
  return refusal.reason !== 'unknown-endpoint';
}

/** The names of the parameters of a request. */
function namesIn({ query = {}, body = {} }: HostedRequest): readonly string[] {
  const members = body instanceof URLSearchParams ? body.keys() : Object.keys(body);
  return [...Object.keys(query), ...members];
}

/** A sentence of the service that begins with one of the names is about it: a door may call it otherwise. */
function detailOf(sentence: string, names: ReadonlySet<string>): Detail {
  const [name = ''] = /^[^\s:]+/.exec(sentence) ?? [];
  return names.has(name) ? { field: name, problem: sentence.slice(name.length) } : sentence;
}

/** A request that changes nothing, and so can be repeated: a form is a report with many parameters. */
function isReading({ method = 'GET', body }: HostedRequest): boolean {
  return method === 'GET' || body instanceof URLSearchParams;
}

function statusWords(status: number, reply: string): string {
  const withReply = `HTTP ${status}${reply.replace(/\.$/, '')}`;
  const words = `(${withReply})`;
  if (status === 408) return `gave up after its time ${words}.`;
  if (status === 429) return `takes no more requests for now ${words}.`;
  if (status === 503) return `is not available ${words}; its REST interface may be switched off.`;
  if (status === 502 || status === 504) return `does not answer the proxy before it ${words}.`;
  return `answered with ${withReply}.`;
}

const statusNumber = z.union([z.number(), z.string()]).transform(Number);

/** A failure in a service's own words: both say the status beside the message, which gateways and Jira do not. */
const refusalSchema = z.object({
  status: statusNumber.optional(),
  statusCode: statusNumber.optional(),
  message: z.string().min(1),
  messages: z.array(z.string()).nullish(),
  /** Sentences by parameter. */
  errors: z.record(z.string(), z.string()).catch({}),
  /** Only another Dwell gives one, in its body or in a header. */
  reason: z
    .custom<ErrorReason>((value) => typeof value === 'string' && Object.hasOwn(errorReasons, value))
    .optional()
    .catch(undefined),
});

/** Null for a page, and for the answer of a proxy or gateway. */
function readRefusal({ status, headers, text }: HttpAnswer): z.output<typeof refusalSchema> | null {
  const json = readJson(text);
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  const inHeader = { reason: headers.get('x-failure-reason') };
  const { data } = refusalSchema.safeParse(isObject ? { ...inHeader, ...json } : json);
  return data !== undefined && (data.status ?? data.statusCode) === status ? data : null;
}
