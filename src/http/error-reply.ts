import { dateText } from '../formats/date-text.ts';
import { AppError, type ErrorCode } from '../model/error.ts';
import { Refusal } from './refusal.ts';
import type { BodyReply, HttpParts } from './route.ts';

const statusOf: Readonly<Record<ErrorCode, number>> = {
  'bad-request': 400,
  'not-authenticated': 401,
  'not-allowed': 403,
  'not-found': 404,
  'too-many': 429,
  unavailable: 503,
};

/**
 * A failure in the wire format; `reference` is how a bug is found again in the log, where its cause stands, and
 * `beside` what the path of the request named.
 */
export function errorReply(
  error: unknown,
  reference: string,
  { version, now, timeZone }: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
  beside: { readonly exportId?: string } = {},
): BodyReply {
  const { status, message, details, headers } = describe(error, reference);
  return {
    status,
    headers,
    body: {
      status,
      message,
      messages: details.length === 0 ? null : details,
      pluginVersion: version,
      time: dateText(now(), 'yyyy-MM-dd HH:mm:ss', timeZone),
      ...beside,
    },
  };
}

/** Whether a failure is somebody's to act upon; everything else is a bug. */
export function isForeseen(error: unknown): error is AppError | Refusal {
  return error instanceof AppError || error instanceof Refusal;
}

function describe(error: unknown, reference: string) {
  if (error instanceof Refusal) return error;
  if (error instanceof AppError) {
    return { status: statusOf[error.code], message: error.message, details: error.details, headers: {} };
  }
  return {
    status: 500,
    message: 'Internal server error',
    details: [`Something went wrong on our side; the log has it under ${reference}.`],
    headers: {},
  };
}
