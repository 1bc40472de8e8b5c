import { millisecondsInMinute } from 'date-fns/constants';
import pLimit from 'p-limit';
import type { z } from 'zod';
import type { HttpSurroundings } from '../http-client/http-client.ts';
import type { ErrorReason } from '../model/error.ts';
import {
  createHostedClient,
  type HostedClient,
  type HostedRequest,
  type HostedService,
} from './hosted-client.ts';

/** Longer addresses are cut or refused by some proxies. */
const MAX_QUERY = 1800;

/** The endpoints of the service, each under the path of the contract, then under that of the running product. */
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

/** An endpoint of the service. */
export type TisPlace = keyof typeof tisPaths;

/** The reason of a 404, where it is not about the path. */
const missingReasons: Readonly<Partial<Record<TisPlace, ErrorReason>>> = {
  issue: 'unknown-issue',
  expanded: 'unknown-issue',
  calendars: 'unknown-calendar',
  parameterSets: 'unknown-parameter-set',
};

/** Reports that take their parameters as a form as well. */
const formPlaces: readonly TisPlace[] = ['list', 'pages', 'aggregation'];

/** Parameters of a request, by name. */
export type TisParameters = Readonly<Record<string, string>>;

interface TisRequest extends Pick<HostedRequest, 'below' | 'method' | 'signal' | 'withoutPath'> {
  readonly place: TisPlace;
  readonly parameters?: TisParameters;
  readonly json?: Readonly<Record<string, unknown>>;
}

/** Speaks the REST of a time-in-status service; failures are those of a hosted client. */
export interface TisClient extends Pick<HostedClient, 'now' | 'unavailable' | 'close'> {
  ask<Schema extends z.ZodType>(request: TisRequest, schema: Schema): Promise<z.output<Schema>>;
}

/** A client with connections of its own, which keep no process alive. */
export function createTisClient(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  surroundings: HttpSurroundings,
): TisClient {
  const client = createHostedClient(tisService(baseUrl, token), surroundings);
  /** The product refuses a second aggregation of one user. */
  const aggregations = pLimit(1);

  return {
    now: client.now,
    async ask(request, schema) {
      if (request.place !== 'aggregation') return client.request(hostedRequest(request), schema);
      return aggregations(() => {
        request.signal?.throwIfAborted();
        return client.request(hostedRequest(request), schema);
      });
    },
    unavailable: client.unavailable,
    close: client.close,
  };
}

function hostedRequest({ place, parameters = {}, json, ...request }: TisRequest): HostedRequest {
  const { method = 'GET', below = '' } = request;
  const form = new URLSearchParams(parameters);
  const isForm = formPlaces.includes(place) && form.toString().length > MAX_QUERY;
  // A list that is not there is a path that is not there.
  const isList = below === '' && (place === 'calendars' || place === 'parameterSets');
  return {
    ...request,
    ...(isForm ? { method: 'POST', body: form } : { method, query: parameters, body: json }),
    paths: tisPaths[place],
    // Another aggregation of the same user may be under way for a minute.
    ...(place === 'aggregation' ? { longestWaitMs: millisecondsInMinute } : {}),
    missing: isList ? undefined : missingReasons[place],
  };
}

/** The token goes into the header only, never into an address. */
function tisService(baseUrl: string, token: string): HostedService {
  return {
    name: 'time-in-status service',
    baseUrl,
    authorization: `TISJWT ${token}`,
    secrets: [token],
    settings: { address: 'TIS_BASE_URL', credentials: 'TIS_TOKEN', user: 'TIS_TOKEN' },
    // The service ends every question after a minute; a little more, so that its own words arrive.
    timeoutMs: 75_000,
    maxMegabytes: 100,
    slowAdvice: ' Ask about fewer issues.',
    unknownOutcome: 'It is unknown whether it was done; check before trying again.',
    loginProblem: (_text, sentences) => (sentences.length > 0 ? sentences.join(' ') : 'it does not say why'),
  };
}
