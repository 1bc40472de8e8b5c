import { z } from 'zod';
import type { HttpSurroundings } from '../../http-client/http-client.ts';
import { hideSecrets, isSuccess, quote, readJson } from '../../http-client/read-answer.ts';
import type { HttpAnswer, HttpRequest } from '../../http-client/send-once.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { Detail, ErrorReason } from '../../model/error.ts';
import { AppError } from '../../model/error.ts';
import { quoted } from '../refusals.ts';
import {
  createHostedClient,
  type HostedService,
  hostedRetry,
  noAnswer,
  readHosted,
  redirected,
  serviceUnavailable,
  statusWords,
} from './hosted-service.ts';

/** The contract's path first; from version 1.5 on the product's pages name the other as well. */
const bases = ['/rest/delegation/api/1.0', '/rest/delegation/1.0/api'];

const TIMEOUT_MS = 10_000;

/** As whom the service is asked: a user with their password, or a token. */
export type KeychainCredentials =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

/** What to say of a service that has no such path. */
export interface UnknownPath {
  readonly what: string;
  readonly reason: ErrorReason;
}

/** A request to the service; `path` follows its base path. */
interface KeychainRequest {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Becomes JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What to say, after the name of the service, when no path of it is known there. */
  readonly unknownPath: UnknownPath;
}

/** Speaks the service's REST. */
export interface KeychainClient {
  /** What the service answers, in the schema; everything else is an AppError that says what came. */
  ask<Schema extends z.ZodType>(request: KeychainRequest, schema: Schema): Promise<z.output<Schema>>;
}

/** The service at an address of the tracker, with these credentials. */
export function keychainService(baseUrl: string, credentials: KeychainCredentials): HostedService {
  const { origin, pathname } = new URL(baseUrl);
  const service = {
    profile: {
      service: 'The delegation service',
      // Well before the whole try ends: then it is certain that nothing was sent.
      connectTimeoutMs: TIMEOUT_MS / 2,
      timeoutMs: TIMEOUT_MS,
      maxMegabytes: 10,
      requestsPerMinute: null,
    },
    retry: hostedRetry,
    name: 'delegation service',
    origin,
    base: `${origin}${pathname.replace(/\/+$/, '')}`,
    addressSetting: 'DELEGATION_BASE_URL',
    unsure: 'Nobody knows whether the delegation was saved: look at the list before trying again.',
  };
  if (credentials.kind === 'bearer') {
    const { token } = credentials;
    return {
      ...service,
      authorization: `Bearer ${token}`,
      settings: 'DELEGATION_TOKEN',
      userSetting: 'DELEGATION_TOKEN',
      hide: (text) => hideSecrets(text, [token]),
    };
  }
  const { user, password } = credentials;
  const pair = Buffer.from(`${user}:${password}`).toString('base64');
  return {
    ...service,
    authorization: `Basic ${pair}`,
    settings: 'DELEGATION_USER and DELEGATION_PASSWORD',
    userSetting: 'DELEGATION_USER',
    hide: (text) => hideSecrets(text, [pair, password]),
  };
}

/** A client with connections of its own, which keep no process alive. */
export function createKeychainClient(service: HostedService, surroundings: HttpSurroundings): KeychainClient {
  const client = createHostedClient(service, surroundings);
  let [first = '', second = ''] = bases;

  async function answerTo({ unknownPath, path, ...request }: KeychainRequest): Promise<HttpAnswer> {
    const isSafe = request.method === 'GET';
    for (const base of [first, second]) {
      const outcome = await client.send({ ...request, path: `${base}${path}` }, { isSafe });
      if (outcome.kind === 'none') throw noAnswer(outcome, service, !isSafe);
      const isOwn = isOwnRefusal(outcome);
      if (outcome.status === 404 && !isOwn) continue;
      // What the tracker around the service or a gateway before it says means nothing for the path.
      if ((isOwn || isSuccess(outcome)) && base === second) [first, second] = [second, first];
      return outcome;
    }
    throw serviceUnavailable(unknownPath.what, service, { reason: unknownPath.reason });
  }

  return {
    async ask(request, schema) {
      const answer = await answerTo(request);
      const maybeDone = request.method !== 'GET';
      // A refusal in the service's own words or for now is an answer: nothing was saved.
      if (!isSuccess(answer)) throw refusalOf(answer, service, maybeDone && answer.status >= 500);
      return readHosted(answer.text, schema, { service, maybeDone });
    },
  };
}

/** What an answer that is no success means, and what may be done about it. */
function refusalOf(answer: HttpAnswer, service: HostedService, maybeDone: boolean): AppError {
  const { status, text } = answer;
  const refusal = readRefusal(text);
  const message = refusal === null ? null : quote(refusal.message, service);
  if (status >= 300 && status < 400) return redirected(answer, service);
  if (status === 401)
    return serviceUnavailable(`refuses ${service.settings}: ${loginProblem(text)}.`, service);
  if (refusal !== null && message !== null) {
    if (status === 400) {
      const fields = Object.fromEntries(
        Object.entries(refusal.errors).map(([name, sentence]) => [name, quote(sentence, service)]),
      );
      const sentences = Object.values(fields);
      const details = sentences.includes(message) ? sentences : [message, ...sentences];
      const parts = details.map((sentence): Detail => {
        // The service's sentences, which are foreign, may begin with the member that they are about.
        const field = Object.keys(fields).find((name) => sentence.startsWith(`${name} `));
        return field === undefined ? sentence : { field, problem: sentence.slice(field.length) };
      });
      return new AppError('invalid-value', 'Bad request', parts, { fields });
    }
    if (status === 403) {
      const who = `The user of ${service.userSetting} lacks this right in the ${service.name}.`;
      return new AppError('not-allowed', `${message} ${who}`);
    }
    if (status === 404) return new AppError('not-found', message);
  }
  return serviceUnavailable(statusWords(status, message), service, { maybeDone });
}

/**
 * Both reasons come as pages of the tracker or in JSON. The page for a wrong user names its reason in capitals; one
 * about the license of the app says "Unauthorized access" and nothing else.
 */
function loginProblem(text: string): 'Invalid Licence' | 'Invalid User' {
  if (/AUTHENTICAT(ED|ION)_(FAILED|DENIED)|invalid user/i.test(text)) return 'Invalid User';
  return /licen[cs]e|unauthorized access/i.test(text) ? 'Invalid Licence' : 'Invalid User';
}

/** A failure in the service's own words; its `timestamp`, a number here and a text there, is not needed. */
const refusalSchema = z.object({
  message: z.string().min(1),
  /** Sentences by parameter. */
  errors: z.record(z.string(), z.string()).catch({}),
  // The tracker around the service sends failures in JSON as well, and then calls the status so.
  'status-code': z.undefined().optional(),
});

/** Null for a page, or for what the tracker around the service says. */
function readRefusal(text: string): z.output<typeof refusalSchema> | null {
  return refusalSchema.safeParse(readJson(text)).data ?? null;
}

/** Both are in every failure of the service's own, and hardly in one of whatever stands before it. */
const ownSchema = z.object({
  status: z.union([z.number(), z.string().transform(Number)]),
  timestamp: z.union([z.number(), z.string()]),
});

/** Whether a failure surely is the service's, so that it is there and its path is right. */
function isOwnRefusal({ status, text }: HttpAnswer): boolean {
  const parsed = ownSchema.safeParse(readJson(text));
  return parsed.success && parsed.data.status === status && readRefusal(text) !== null;
}

/** Whether a name is the one asked about: the service finds it without regard to case, and answers as it is stored. */
export function isSameName(asked: string, told: string): boolean {
  return foldedName(asked) === foldedName(told);
}

/** A service, or something before it, that answers another question: nobody shall take that for an answer to theirs. */
export function answersOtherThanAsked(
  asked: string,
  told: string,
  { service, maybeDone }: { readonly service: HostedService; readonly maybeDone: boolean },
): AppError {
  return serviceUnavailable(`was asked about ${asked} and tells of ${told}.`, service, { maybeDone });
}

/** A name that came from outside, for a sentence. */
export function quotedName(name: string, { hide }: HostedService): string {
  return quoted(hide(name));
}
