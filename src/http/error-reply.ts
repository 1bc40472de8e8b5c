import { dateText } from '../formats/date-text.ts';
import { AppError, type ErrorCode } from '../model/error.ts';
import type { HttpParts, Reply } from './route.ts';

const statusOf: Readonly<Record<ErrorCode, number>> = {
  'bad-request': 400,
  'not-authenticated': 401,
  'not-allowed': 403,
  'not-found': 404,
  unavailable: 503,
};

/** A failure in the wire format; `reference` is how a bug is found again in the log, where its cause stands. */
export function errorReply(
  error: unknown,
  reference: string,
  { version, now, timeZone }: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
): Reply {
  const known = error instanceof AppError;
  const status = known ? statusOf[error.code] : 500;
  const details = known
    ? error.details
    : [`Something went wrong on our side; the log has it under ${reference}.`];
  return {
    status,
    body: {
      status,
      message: known ? error.message : 'Internal server error',
      messages: details.length === 0 ? null : details,
      pluginVersion: version,
      time: dateText(now(), 'yyyy-MM-dd HH:mm:ss', timeZone),
    },
  };
}
