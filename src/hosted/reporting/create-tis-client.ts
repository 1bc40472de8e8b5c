import { millisecondsInMinute } from 'date-fns/constants';
import pLimit from 'p-limit';
import type { z } from 'zod';
import type { HttpSurroundings, ServiceRequest } from '../../http-client/http-client.ts';
import { hideSecrets, isSuccess, mediaTypeOf, quote } from '../../http-client/read-answer.ts';
import { type HttpAnswer, type HttpRequest, TOO_SLOW } from '../../http-client/send-once.ts';
import {
  createHostedClient,
  type HostedService,
  hostedRetry,
  noAnswer,
  readHosted,
  serviceUnavailable,
} from '../hosted-service.ts';
import { readTisRefusal, TookTooLong, tisFailure, UnknownPlace } from './tis-failures.ts';

/** The service ends every question after a minute; a little more, so that its own word arrives. */
const TIMEOUT_MS = 75_000;
const CONNECT_TIMEOUT_MS = 10_000;

const retry = { ...hostedRetry, whenSlow: false };

/** Another user's aggregation may be under way for a minute: it is waited for with growing pauses. */
const aggregationRetry = { ...retry, tries: 6, longestWaitMs: millisecondsInMinute };

/** Longer addresses are cut or refused by some proxies. */
const LONGEST_QUERY = 1800;

const accept = 'application/json, text/csv;q=0.9, */*;q=0.1';

/**
 * What the service can be asked, by the paths under which it may be found: that of the contract first, then the one
 * that the running product has.
 */
const tisPlaces = {
  issue: ['/rest/issue'],
  expanded: ['/rest/issue/expanded'],
  list: ['/rest/issues', '/rest/list'],
  pages: ['/rest/issues/v2', '/rest/list2'],
  aggregation: ['/rest/issues/aggregation', '/rest/aggregation'],
  exportStart: ['/rest/export/status', '/rest/export'],
  exports: ['/rest/export', '/rest/export/status'],
  statuses: ['/rest/statuses'],
  calendars: ['/rest/calendars', '/rest/calendar'],
  parameterSets: ['/rest/reportSettings', '/rest/parameterSets'],
  formats: ['/rest/formatSettings'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of the things that the service can be asked. */
export type TisPlace = keyof typeof tisPlaces;

/** Reports that take their parameters as a form as well. */
const formPlaces: readonly TisPlace[] = ['list', 'pages', 'aggregation'];

/** Where the service is and as whom it is asked. */
export interface TisAccess {
  readonly baseUrl: string;
  readonly token: string;
}

/** A request to the service: a place, what of it, and with which parameters or body. */
interface TisRequest {
  readonly place: TisPlace;
  /** Follows the path of the place. */
  readonly below?: string;
  /** Everything but GET changes something; a report that is sent as a form is a GET here. */
  readonly method?: HttpRequest['method'];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
  /** Begins when the one before has ended. */
  readonly alone?: boolean;
}

/** Speaks the REST of a time-in-status service. Every failure is an AppError that says what came. */
export interface TisClient {
  /** The answer in the schema it should have. */
  ask<Schema extends z.ZodType>(request: TisRequest, schema: Schema): Promise<z.output<Schema>>;
  /** The answer as it is, with its media type. */
  fetch(request: TisRequest): Promise<{ readonly type: string | null; readonly text: string }>;
  /** Reads a text that was fetched as an answer in a schema. */
  read<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema>;
  /** A failure about the service; `what` follows its name. */
  failure(what: string): Error;
  readonly now: HttpSurroundings['now'];
  readonly wait: HttpSurroundings['wait'];
  close(): Promise<void>;
}

/** A client with connections of its own, which keep no process alive. */
export function createTisClient(access: TisAccess, surroundings: HttpSurroundings): TisClient {
  const service = tisService(access);
  const client = createHostedClient(service, surroundings);
  const working = new Map<TisPlace, string>();
  /** The product refuses a second aggregation of one user. */
  const oneByOne = pLimit(1);

  async function send(request: TisRequest, path: string): Promise<HttpAnswer> {
    const isSafe = isReading(request);
    const outcome = await client.send(serviceRequest(request, path), {
      isSafe,
      retry: request.place === 'aggregation' ? aggregationRetry : retry,
    });
    if (outcome.kind === 'answer') return outcome;
    const failure = noAnswer(outcome, service, !isSafe);
    throw outcome.code === TOO_SLOW ? new TookTooLong(failure) : failure;
  }

  async function answerTo(request: TisRequest): Promise<HttpAnswer> {
    const { place, below = '' } = request;
    const known = working.get(place);
    const paths: readonly string[] = tisPlaces[place];
    const order = known === undefined ? paths : [known, ...paths.filter((path) => path !== known)];
    let page = false;
    let refused: HttpAnswer | null = null;
    for (const path of order) {
      const answer = await send(request, `${path}${below}`);
      if (isElsewhere(answer)) {
        page ||= isSuccess(answer);
        continue;
      }
      // In its own words, too, the service may mean that it has no such path; below one that has answered, it is the id.
      if (answer.status === 404 && (below === '' || known === undefined)) {
        // The word of the path that is known to be one; else that of the running product.
        refused = known === undefined ? answer : (refused ?? answer);
        continue;
      }
      // What a gateway says means nothing for the path.
      if (isSuccess(answer) || readTisRefusal(answer) !== null) working.set(place, path);
      if (isSuccess(answer)) return answer;
      throw tisFailure(answer, service, !isReading(request) && answer.status >= 500);
    }
    if (refused !== null) throw tisFailure(refused, service, false);
    const root = service.base.slice(service.origin.length);
    const tried = paths.map((path) => `${root}${path}`);
    const what = page
      ? `answers ${tried.join(' and ')} with a page where JSON was asked for`
      : `has ${tried.length > 1 ? 'neither' : 'no'} ${tried.join(' nor ')} (HTTP 404)`;
    throw new UnknownPlace(serviceUnavailable(`${what}; is ${service.addressSetting} right?`, service));
  }

  function inTurn(request: TisRequest): Promise<HttpAnswer> {
    if (request.alone !== true) return answerTo(request);
    return oneByOne(() => {
      request.signal?.throwIfAborted();
      return answerTo(request);
    });
  }

  const read = <Schema extends z.ZodType>(text: string, schema: Schema, maybeDone = false) =>
    readHosted(text, schema, { service, maybeDone });

  return {
    async ask(request, schema) {
      const { text } = await inTurn(request);
      return read(text, schema, !isReading(request));
    },
    async fetch(request) {
      const answer = await inTurn(request);
      return { type: mediaTypeOf(answer), text: answer.text };
    },
    read: (text, schema) => read(text, schema),
    failure: (what) => serviceUnavailable(quote(what, service), service),
    now: surroundings.now,
    wait: surroundings.wait,
    close: client.close,
  };
}

/** The token goes into the header only, never into an address. */
function tisService({ baseUrl, token }: TisAccess): HostedService {
  const { origin, pathname } = new URL(baseUrl);
  return {
    profile: {
      service: 'The time-in-status service',
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
      maxMegabytes: 100,
      requestsPerMinute: null,
    },
    retry,
    name: 'time-in-status service',
    origin,
    base: `${origin}${pathname.replace(/\/+$/, '')}`,
    authorization: `TISJWT ${token}`,
    settings: 'TIS_TOKEN',
    userSetting: 'TIS_TOKEN',
    addressSetting: 'TIS_BASE_URL',
    unsure: 'Nobody knows whether it was done: look before trying again.',
    hide: (text) => hideSecrets(text, [token]),
  };
}

function serviceRequest(
  { method, parameters = {}, json, place, signal }: TisRequest,
  path: string,
): ServiceRequest {
  const form = new URLSearchParams(parameters);
  const isLong = form.toString().length > LONGEST_QUERY && (formPlaces.includes(place) || method === 'POST');
  if (isLong && json === undefined) return { method: 'POST', path, body: form, accept, signal };
  return { method: method ?? 'GET', path, query: parameters, body: json, accept, signal };
}

/** A report changes nothing, however its parameters are sent. */
function isReading({ method = 'GET' }: TisRequest): boolean {
  return method === 'GET';
}

/** Nothing of the service's is found under the path; some servers show their start page instead. */
function isElsewhere(answer: HttpAnswer): boolean {
  if (isSuccess(answer)) return mediaTypeOf(answer) === 'text/html';
  return [404, 405, 410].includes(answer.status) && readTisRefusal(answer) === null;
}
