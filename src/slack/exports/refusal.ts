import { WebAPIPlatformError } from '@slack/web-api';
import { AppError } from '../../model/error.ts';

/** Slack looked at the bytes of a file and did not take them. */
export class UploadRefused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`Slack did not take the file: ${code}`);
    this.name = 'UploadRefused';
    this.code = code;
  }
}

/** Words of Slack for a trouble of its own. */
const passing = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);

/** Slack's word for why it did not do what it was asked; null where nobody knows whether it was done. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof UploadRefused) return error.code;
  if (!(error instanceof WebAPIPlatformError)) return null;
  const { error: word } = error.data;
  return passing.has(word) ? null : word;
}

/** What to do about it: not known, so it has to be tried again. Refusals and our own failures are handed back. */
export function tryAgain(error: unknown): Error {
  if (error instanceof Error && (error instanceof AppError || refusalOf(error) !== null)) return error;
  return new AppError('unavailable', 'Slack cannot be reached at the moment.', ['Please try again later.'], {
    cause: error,
  });
}
