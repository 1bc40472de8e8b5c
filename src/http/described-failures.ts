import { z } from 'zod';
import { supervisedPaths } from '../concurrency/admission.ts';
import { failureSchemas, REASON_HEADER } from './failures.ts';
import { type AnyRoute, type Dialect, jsonType, type RouteFacts, takesBody } from './route.ts';

const meanings = {
  400: 'Bad request: messages name the parameter, its value and values that work.',
  401: 'No token, or one that is invalid, expired or deactivated.',
  403: 'You are not permitted to do this.',
  404: 'Not found, or you are not permitted to see it.',
  405: 'Method not supported; the header Allow lists those that are.',
  409: 'It was changed since you read it: read it again.',
  413: 'The body is larger than 1,000,000 bytes.',
  415: 'The body is of another type than the one named, is not UTF-8, or is packed in an unknown way.',
  429: 'Too many requests in a minute, of this token, this address or this tenant; or too many unfinished exports: wait for one, or abort one.',
  431: 'The request line and the headers are larger than 16 KiB.',
  500: 'A bug in Dwell; the log has its cause under the reference in the answer.',
  503: 'The store cannot be reached at the moment, for example because another program locks it, or the disk is full; or others are still answered: a report over many issues has waited too long for its turn, or the service has more requests than it can answer.',
} as const;

/** The meanings of statuses that the contract of delegations words differently. */
const delegationMeanings: Partial<Record<FailureStatus, string>> = {
  400: 'The request is wrong: errors says by parameter or member what is wrong, and message has all of it.',
  401: 'Invalid User: no credentials, false ones, or a token of another user. Invalid Licence: a token that has expired or was deactivated.',
  403: 'You are not permitted to see, or do, this.',
  404: 'There is no such user, category or delegation; message names it.',
  503: 'The store, or the tracker that stores the delegations, cannot be reached at the moment, or there are more requests than can be answered.',
};

type FailureStatus = keyof typeof meanings;

const failureStatuses = Object.keys(meanings).map(Number) as FailureStatus[];

/** The meaning of a status in a dialect, as the document describes it. */
function meaningOf(status: FailureStatus, dialect: Dialect = 'reporting'): string {
  return (dialect === 'reporting' ? undefined : delegationMeanings[status]) ?? meanings[status];
}

/** The meaning of a status at one route, with advice where there is a way out. */
function meaningAt(status: FailureStatus, { dialect, methods, body, maxBytes }: RouteFacts): string {
  if (status === 413 && maxBytes !== undefined)
    return `The body is larger than ${maxBytes.toLocaleString('en-US')} bytes.`;
  const takesForm = methods.some(takesBody) && body === undefined;
  const advice = status === 431 && takesForm ? ' Send the parameters as a form.' : '';
  return `${meaningOf(status, dialect)}${advice}`;
}

/** Returns true for a route whose requests are counted, and refused under load. */
export function isLimitedRoute({ paths }: Pick<RouteFacts, 'paths'>): boolean {
  return !paths.some((path) => supervisedPaths.has(path));
}

/** The failures a route can answer with. */
export function failuresOf({ guarded, methods, paths, parameters, answers }: RouteFacts): FailureStatus[] {
  const sends = methods.some(takesBody);
  const isLimited = isLimitedRoute({ paths });
  const possible: Readonly<Record<FailureStatus, boolean>> = {
    400: true,
    401: guarded,
    // The delegates of a person are not for everyone to know.
    403: answers.failures?.includes(403) === true || 'creditDelegates' in parameters.shape,
    404: answers.failures?.includes(404) === true || 'paramSetId' in parameters.shape,
    405: true,
    409: answers.failures?.includes(409) === true,
    413: sends,
    415: sends,
    429: isLimited,
    431: true,
    500: true,
    // Readiness has an answer of its own with this status.
    503: isLimited || answers.others !== undefined,
  };
  return failureStatuses.filter((status) => possible[status]);
}

/** The name by which operations refer to a failure, such as `LookUpFailure404`. */
function failureName(status: number, dialect: Dialect = 'reporting'): string {
  return `${z.globalRegistry.get(failureSchemas[dialect])?.id}${status}`;
}

/** The failures of a route by status, as its operations refer to them. */
export function failureReferences(route: AnyRoute) {
  return Object.fromEntries(
    failuresOf(route).map((status) => {
      const $ref = `#/components/responses/${failureName(status, route.dialect)}`;
      const meaning = meaningAt(status, route);
      const isOwn = meaning !== meaningOf(status, route.dialect);
      return [status, { $ref, ...(isOwn ? { description: meaning } : {}) }];
    }),
  );
}

/** Every failure that some route can answer with, by its name. */
export function describeFailures(routes: readonly AnyRoute[]) {
  const possible = routes.flatMap((route) =>
    failuresOf(route).map((status) => ({ status, dialect: route.dialect ?? 'reporting' })),
  );
  return Object.fromEntries(
    possible.map(({ status, dialect }) => [
      failureName(status, dialect),
      {
        description: meaningOf(status, dialect),
        headers: failureHeaders(status, dialect),
        content: { [jsonType]: { schema: failureSchemas[dialect] } },
      },
    ]),
  );
}

function failureHeaders(status: number, dialect: Dialect) {
  return {
    ...(status === 401 ? { 'WWW-Authenticate': textHeader('Accepted authentication schemes.') } : {}),
    ...(status === 429 || status === 503
      ? { 'Retry-After': textHeader('Seconds to wait before a retry; absent if a retry does not help.') }
      : {}),
    ...(status === 429 ? namedLimits : {}),
    ...(dialect === 'look-up'
      ? {
          [REASON_HEADER]: {
            description: 'Stable error code for programs.',
            schema: { $ref: '#/components/schemas/FailureReason' },
          },
        }
      : {}),
  };
}

/** A header whose value is text. */
export const textHeader = (description: string) => ({ description, schema: { type: 'string' } as const });

/** Requests are limited, and reports over many issues take turns (draft-ietf-httpapi-ratelimit-headers). */
export const limitHeaders = {
  'RateLimit-Policy': textHeader(
    'Limit of requests in a minute and, for reports over many issues, of concurrent ones; absent without a limit.',
  ),
  RateLimit: textHeader('Requests you can still send until the minute is over, and reports you can start.'),
};
/** References to them. */
export const namedLimits = Object.fromEntries(
  Object.keys(limitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
