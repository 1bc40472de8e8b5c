import { z } from 'zod';
import { noAnswerWords, redirectWords } from '../http-client/failure-words.ts';
import {
  createHttpClient,
  fixedCredentials,
  type HttpCredentials,
  type HttpProfile,
  type HttpSurroundings,
  type ServiceRequest,
} from '../http-client/http-client.ts';
import { isSuccess, quote, readJson, readSchema } from '../http-client/read-answer.ts';
import { judgeByPolicy } from '../http-client/retry-policy.ts';
import { type HttpAnswer, TOO_SLOW } from '../http-client/send-once.ts';
import { AppError, type ErrorReason } from '../model/error.ts';

/** One retry: of anything that was not taken (429), and of reading after a failure that may pass. */
const retry = { tries: 2, statuses: [429], safeStatuses: [502, 503, 504] };

/** Where a service asks for a longer wait, its refusal is final. */
const LONGEST_WAIT_MS = 10_000;

/** A service that somebody else hosts: how it is reached, and how errors describe it. */
export interface HostedService extends HttpCredentials {
  readonly profile: HttpProfile;
  /** What it is called in sentences. */
  readonly name: string;
  readonly origin: string;
  /** The settings that hold the credentials. */
  readonly settings: string;
  /** The setting that decides whose rights count. */
  readonly userSetting: string;
  /** The setting that holds its address. */
  readonly addressSetting: string;
  /** A whole sentence for a change that may have been made. */
  readonly unknownOutcome: string;
  /** Follows the failure of a question that took too long. */
  readonly slowAdvice: string;
  /** Whether reading is repeated after a timeout of our own. */
  readonly retriesWhenSlow: boolean;
  /** Why a 401 was answered, for a sentence. */
  loginProblem(text: string, sentences: readonly string[]): string;
}

/** A request to a hosted service. */
export interface HostedRequest extends Pick<ServiceRequest, 'query' | 'body' | 'accept' | 'signal'> {
  readonly method?: ServiceRequest['method'];
  /** The paths that the documents name for the same thing; the one that answers is remembered under `pathsOf`. */
  readonly paths: readonly string[];
  readonly pathsOf: string;
  /** Follows the path. */
  readonly below?: string;
  /** It changes nothing, and so can be repeated; by default GET. */
  readonly isReading?: boolean;
  readonly longestWaitMs?: number;
  /** What is missing where the service itself answers 404, maybe by its message; absent where it can only be the path. */
  readonly missing?: ErrorReason | ((message: string) => ErrorReason);
  /** What to say, after the name of the service, where it has none of the paths. */
  readonly withoutPath: string;
}

/**
 * Speaks to one service. Every failure is an AppError that names the service, the setting and what was answered:
 * `service-unavailable`, `outcome-unknown` (a change that may have been made), `unsupported-by-service` (it has no such
 * path), and its own refusals as `invalid-value` (400), `missing-right` (403) and the request's `missing` (404).
 */
export interface HostedClient {
  readonly service: HostedService;
  readonly now: HttpSurroundings['now'];
  /** The answer in the schema it should have. */
  request<Schema extends z.ZodType>(request: HostedRequest, schema: Schema): Promise<z.output<Schema>>;
  /** A request whose answer does not matter. */
  send(request: HostedRequest): Promise<void>;
  /** `what` follows the name of the service. */
  unavailable(what: string, reason?: ErrorReason): AppError;
  close(): Promise<void>;
}

/** A client with connections of its own, which keep no process alive. */
export function createHostedClient(service: HostedService, surroundings: HttpSurroundings): HostedClient {
  const { profile, name, origin, addressSetting } = service;
  const client = createHttpClient(profile, surroundings);
  const credentials = fixedCredentials(service);
  const working = new Map<string, string>();

  function unavailable(
    what: string,
    reason: ErrorReason = 'service-unavailable',
    { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
  ): AppError {
    const outcome = reason === 'outcome-unknown' ? ` ${service.unknownOutcome}` : '';
    const data = { service: name, setting: addressSetting, ...(status === undefined ? {} : { status }) };
    const options = cause === undefined ? { data } : { data, cause };
    return new AppError(reason, `The ${name} at ${origin} ${what}${outcome}`, [], options);
  }

  async function sendTo(path: string, request: HostedRequest): Promise<HttpAnswer> {
    const { method = 'GET', query, body, accept, signal, longestWaitMs = LONGEST_WAIT_MS } = request;
    const isSafe = isReading(request);
    const policy = { ...retry, longestWaitMs, whenSlow: service.retriesWhenSlow };
    const { outcome } = await client.request(
      { method, path, query, body, accept, signal },
      { credentials, judge: (one) => judgeByPolicy(one, policy, { isSafe, now: surroundings.now() }) },
    );
    if (outcome.kind === 'answer') return outcome;
    const { timeoutMs, maxMegabytes } = profile;
    const words = noAnswerWords(outcome, { asked: null, timeoutMs, maxMegabytes, hide: service.hide });
    const advice = outcome.code === TOO_SLOW ? service.slowAdvice : '';
    throw unavailable(words + advice, outcome.sent && !isSafe ? 'outcome-unknown' : 'service-unavailable', {
      cause: outcome.cause,
    });
  }

  /** On a service whose paths are not known yet, a 404 of one says nothing about the others. */
  async function answerTo(request: HostedRequest): Promise<HttpAnswer> {
    const { paths, pathsOf, below = '', missing, withoutPath } = request;
    const known = working.get(pathsOf);
    let notFound: HttpAnswer | null = null;
    for (const path of known === undefined ? paths : [known]) {
      const answer = await sendTo(`${path}${below}`, request);
      if (isSuccess(answer)) {
        working.set(pathsOf, path);
        return answer;
      }
      if (![404, 405, 410].includes(answer.status)) throw refusalOf(answer, request);
      if (notFound === null || readRefusal(notFound) === null) notFound = answer;
    }
    if (notFound !== null && missing !== undefined && readRefusal(notFound) !== null)
      throw refusalOf(notFound, request);
    if (notFound?.status === 404) working.delete(pathsOf);
    throw unavailable(withoutPath, 'unsupported-by-service', { status: 404 });
  }

  function refusalOf(answer: HttpAnswer, request: HostedRequest): AppError {
    const { status, text } = answer;
    const refusal = readRefusal(answer);
    const sentences = (refusal?.messages ?? []).map((one) => quote(one, service));
    const message = refusal === null ? null : quote(refusal.message, service);
    const failed = (what: string, reason?: ErrorReason) => unavailable(what, reason, { status });
    if (status >= 300 && status < 400) {
      return failed(redirectWords(answer, { asked: null, base: origin, setting: addressSetting }));
    }
    if (status === 401) {
      const said = sentences.length > 0 || message === null ? sentences : [message];
      return failed(`refuses ${service.settings}: ${service.loginProblem(text, said).replace(/\.$/, '')}.`);
    }
    if (refusal !== null && message !== null) {
      const data = { service: name, status };
      if (status === 400) {
        const fields = Object.fromEntries(
          Object.entries(refusal.errors).map(([field, sentence]) => [field, quote(sentence, service)]),
        );
        const details = sentences.length > 0 ? sentences : [...new Set([message, ...Object.values(fields)])];
        return new AppError('invalid-value', 'Bad request', details, { fields, data });
      }
      if (status === 403) {
        const words = [message, ...sentences].map((one) => `${one.replace(/\.$/, '')}.`).join(' ');
        const who = `The user of ${service.userSetting} lacks this right in the ${name}.`;
        return new AppError('missing-right', `${words} ${who}`, [], { data });
      }
      const { missing } = request;
      if (status === 404 && missing !== undefined) {
        const reason = typeof missing === 'function' ? missing(message) : missing;
        return new AppError(reason, message, sentences, { data });
      }
    }
    const words = message === null ? null : [message.replace(/\.$/, ''), ...sentences].join(': ');
    const advice = status === 408 || status === 504 ? service.slowAdvice : '';
    const isUnknown = status >= 500 && !isReading(request);
    return failed(statusWords(status, words) + advice, isUnknown ? 'outcome-unknown' : 'service-unavailable');
  }

  return {
    service,
    now: surroundings.now,
    async request(request, schema) {
      const { text } = await answerTo(request);
      const reason = isReading(request) ? 'service-unavailable' : 'outcome-unknown';
      const json = readJson(text);
      if (json === undefined)
        throw unavailable(`answered with something else than JSON; is ${addressSetting} right?`, reason);
      const read = readSchema(json, schema, service.hide);
      if (read.kind === 'read') return read.value;
      throw unavailable(`answered in an unknown shape: ${read.difference}.`, reason);
    },
    async send(request) {
      await answerTo(request);
    },
    unavailable: (what, reason) => unavailable(quote(what, service), reason),
    close: client.close,
  };
}

function isReading({ method = 'GET', isReading: reads = method === 'GET' }: HostedRequest): boolean {
  return reads;
}

function statusWords(status: number, message: string | null): string {
  const words = message === null ? '' : `: ${message.replace(/\.$/, '')}`;
  switch (status) {
    case 408:
      return `gave up after its time (HTTP 408${words}).`;
    case 429:
      return `takes no more requests for now (HTTP 429${words}).`;
    case 503:
      return `is not available (HTTP 503${words}); its REST interface may be switched off.`;
    case 502:
    case 504:
      return `does not answer the proxy before it (HTTP ${status}${words}).`;
    default:
      return `answered with HTTP ${status}${words}.`;
  }
}

const statusNumber = z.union([z.number(), z.string()]).transform(Number);

/** A failure in a service's own words: both say the status beside the message, which gateways and Jira do not. */
const refusalSchema = z
  .object({
    status: statusNumber.optional(),
    statusCode: statusNumber.optional(),
    message: z.string().min(1),
    messages: z.array(z.string()).nullish(),
    /** Sentences by parameter. */
    errors: z.record(z.string(), z.string()).catch({}),
  })
  .transform(({ status, statusCode, messages, ...rest }) => ({
    ...rest,
    status: status ?? statusCode,
    messages: messages ?? [],
  }));

/** Null for a page, and for what somebody before or around the service says. */
function readRefusal({ status, text }: HttpAnswer): z.output<typeof refusalSchema> | null {
  const { data } = refusalSchema.safeParse(readJson(text));
  return data?.status === status ? data : null;
}
