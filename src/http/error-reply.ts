import { NotAuthenticated } from '../api/people/tokens.ts';
import { AppError, type ErrorCode } from '../model/error.ts';
import { Refusal } from './refusal.ts';
import type { BodyReply, Dialect, HttpParts } from './route.ts';
import { delegationFailureJson } from './wire/delegation-failure-json.ts';
import { type Failure, failureJson } from './wire/failure-json.ts';

const statusOf: Readonly<Record<ErrorCode, number>> = {
  'bad-request': 400,
  'not-authenticated': 401,
  'not-allowed': 403,
  'not-found': 404,
  'too-many': 429,
  unavailable: 503,
};

/** Where a request was sent: how failures are worded there, and what its path named. */
interface Place {
  readonly dialect: Dialect;
  readonly exportId?: string;
}

/** A failure in the wire format; `reference` is how a bug is found again in the log, where its cause stands. */
export function errorReply(
  error: unknown,
  reference: string,
  parts: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
  { dialect, ...beside }: Place,
): BodyReply {
  const failure = describe(error, reference);
  const { status } = failure;
  const isReporting = dialect === 'reporting';
  const ways = status === 401 ? { 'WWW-Authenticate': isReporting ? [ownScheme, ...schemes] : schemes } : {};
  return {
    status,
    headers: { ...headersOf(error), ...ways },
    body: isReporting ? failureJson(failure, parts, beside) : delegationFailureJson(failure, dialect, parts),
  };
}

/** Exports take seconds to minutes: whoever is refused one more may ask again soon. */
const RETRY_AFTER_SECONDS = 10;

function headersOf(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof Refusal) return error.headers;
  const isTooMany = error instanceof AppError && error.code === 'too-many';
  return isTooMany ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {};
}

/** Whether a failure is somebody's to act upon; everything else is a bug. */
export function isForeseen(error: unknown): error is AppError | Refusal {
  return error instanceof AppError || error instanceof Refusal;
}

/** How somebody can prove who they are (RFC 7617, RFC 6750). */
const schemes = ['Basic realm="Dwell", charset="UTF-8"', 'Bearer realm="Dwell"'];
/** The one of the contract of reports. */
const ownScheme = 'TISJWT realm="Dwell"';

function describe(error: unknown, reference: string): Failure {
  if (error instanceof Refusal) {
    const { status, message, reason, details, fields } = error;
    return { status, message, reason, details, fields, lapsed: false };
  }
  if (error instanceof AppError) {
    const { code, message, reason, details, fields } = error;
    const lapsed = error instanceof NotAuthenticated && error.lapsedOf !== null;
    return { status: statusOf[code], message, reason, details, fields, lapsed };
  }
  return {
    status: 500,
    message: 'Internal server error',
    reason: 'internal',
    details: [`Something went wrong on our side; the log has it under ${reference}.`],
    fields: {},
    lapsed: false,
  };
}
