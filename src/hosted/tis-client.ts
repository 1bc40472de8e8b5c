import { millisecondsInMinute } from 'date-fns/constants';
import pLimit from 'p-limit';
import type { z } from 'zod';
import type { HttpSurroundings } from '../http-client/http-client.ts';
import { hideSecrets } from '../http-client/read-answer.ts';
import type { AppError, ErrorReason } from '../model/error.ts';
import { createHostedClient, type HostedRequest, type HostedService } from './hosted-client.ts';

/** The service ends every question after a minute; a little more, so that its own words arrive. */
const TIMEOUT_MS = 75_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Longer addresses are cut or refused by some proxies. */
const LONGEST_QUERY = 1800;

/** What the service can be asked, each under the path of the contract, then under that of the running product. */
const tisPaths = {
  issue: ['/rest/issue'],
  expanded: ['/rest/issue/expanded'],
  list: ['/rest/issues', '/rest/list'],
  pages: ['/rest/issues/v2', '/rest/list2'],
  aggregation: ['/rest/issues/aggregation', '/rest/aggregation'],
  statuses: ['/rest/statuses'],
  calendars: ['/rest/calendars', '/rest/calendar'],
  parameterSets: ['/rest/reportSettings', '/rest/parameterSets'],
  formats: ['/rest/formatSettings'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of the things that the service can be asked. */
export type TisPlace = keyof typeof tisPaths;

/** What its 404 is about; of some only below the path, where it is about an id. */
const missingReasons: Readonly<Partial<Record<TisPlace, ErrorReason>>> = {
  issue: 'unknown-issue',
  expanded: 'unknown-issue',
  list: 'unknown-filter',
  pages: 'unknown-filter',
  aggregation: 'unknown-filter',
};
const missingBelow: Readonly<Partial<Record<TisPlace, ErrorReason>>> = {
  calendars: 'unknown-calendar',
  parameterSets: 'unknown-parameter-set',
};

/** Reports that take their parameters as a form as well. */
const formPlaces: readonly TisPlace[] = ['list', 'pages', 'aggregation'];

/** Parameters of a request, by name. */
export type TisParameters = Readonly<Record<string, string>>;

/** Where the service is and as whom it is asked. */
export interface TisAccess {
  readonly baseUrl: string;
  readonly token: string;
}

interface TisRequest {
  readonly place: TisPlace;
  /** Follows the path of the place. */
  readonly below?: string;
  /** Everything but GET changes something; a report that is sent as a form is a GET here. */
  readonly method?: HostedRequest['method'];
  readonly parameters?: TisParameters;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
  /** What to say, after the name of the service, where it has no such path. */
  readonly withoutPath?: string;
}

/** Speaks the REST of a time-in-status service; failures are those of a hosted client. */
export interface TisClient {
  readonly now: HttpSurroundings['now'];
  ask<Schema extends z.ZodType>(request: TisRequest, schema: Schema): Promise<z.output<Schema>>;
  /** A request whose answer does not matter. */
  send(request: TisRequest): Promise<void>;
  /** A failure of the service; `what` follows its name. */
  unavailable(what: string): AppError;
  close(): Promise<void>;
}

/** A client with connections of its own, which keep no process alive. */
export function createTisClient(access: TisAccess, surroundings: HttpSurroundings): TisClient {
  const service = tisService(access);
  const client = createHostedClient(service, surroundings);
  /** The product refuses a second aggregation of one user. */
  const aggregations = pLimit(1);

  function hostedRequest(request: TisRequest): HostedRequest {
    const { place, below = '', method = 'GET', parameters = {}, json, signal } = request;
    const form = new URLSearchParams(parameters);
    const isForm = json === undefined && formPlaces.includes(place) && form.toString().length > LONGEST_QUERY;
    const missing = missingReasons[place] ?? (below === '' ? undefined : missingBelow[place]);
    const root = service.base.slice(service.origin.length);
    const paths = tisPaths[place].map((path) => `${root}${path}`);
    const none = `has ${paths.length > 1 ? 'neither' : 'no'} ${paths.join(' nor ')} (HTTP 404); is ${service.addressSetting} right?`;
    return {
      ...(isForm ? { method: 'POST', body: form } : { method, query: parameters, body: json }),
      paths: tisPaths[place],
      pathsOf: place,
      below,
      signal,
      isReading: method === 'GET',
      // Another aggregation of the same user may be under way for a minute.
      ...(place === 'aggregation' ? { longestWaitMs: millisecondsInMinute } : {}),
      ...(missing === undefined ? {} : { missing }),
      withoutPath: request.withoutPath ?? none,
    };
  }

  return {
    now: client.now,
    async ask(request, schema) {
      if (request.place !== 'aggregation') return client.request(hostedRequest(request), schema);
      return aggregations(() => {
        request.signal?.throwIfAborted();
        return client.request(hostedRequest(request), schema);
      });
    },
    send: (request) => client.send(hostedRequest(request)),
    unavailable: (what) => client.unavailable(what),
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
    name: 'time-in-status service',
    origin,
    base: `${origin}${pathname.replace(/\/+$/, '')}`,
    authorization: `TISJWT ${token}`,
    settings: 'TIS_TOKEN',
    userSetting: 'TIS_TOKEN',
    addressSetting: 'TIS_BASE_URL',
    unknownOutcome: 'Nobody knows whether it was done: look before trying again.',
    slowAdvice: ' Ask about fewer issues.',
    retriesWhenSlow: false,
    hide: (text) => hideSecrets(text, [token]),
    loginProblem: (_text, sentences) => (sentences.length > 0 ? sentences.join(' ') : 'it is not told why'),
  };
}
