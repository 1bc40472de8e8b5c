// The package as a whole takes a quarter of a second more, which only the app itself needs.
import { RespondError } from '@slack/bolt/dist/errors.js';
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { z } from 'zod';
import { AppError } from '../../model/error.ts';

class Refused extends Error {
  readonly code: string;

  constructor(what: string, code: string) {
    super(`Slack didn't take ${what}: ${code}`);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Slack did not take the bytes of a file. */
export class UploadRefused extends Refused {
  constructor(code: string) {
    super('the file', code);
  }
}

/** Slack answered a response URL with success, and said in the body that it did nothing; `code` is why. */
export class ResponseRefused extends Refused {
  constructor(code: string) {
    super('what was sent to a response URL', code);
  }
}

/**
 * True if Slack refused what was sent to a response URL; false for a failure of Slack or a rate limit. Refused blocks
 * were seen to answer 404 as well (java-slack-sdk issue 1349), as a used-up address does.
 */
export function isResponseRefusal(error: unknown): boolean {
  if (error instanceof ResponseRefused) return !passing.has(error.code);
  if (!(error instanceof RespondError)) return false;
  return error.statusCode >= 400 && error.statusCode < 500 && error.statusCode !== 429;
}

/** Slack's words for a rate limit: nothing was done. */
const limited = ['ratelimited', 'rate_limited'];

/** Slack's words for a trouble of its own that may be over at the next try. */
const passing = new Set([
  ...limited,
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);

/** Slack's words are one word; what else an answer holds comes from something in between. */
const oneWord = /^[\w:.-]+$/;

/** The client's message for a rate limit without a time. */
const unsaidLimit = /^Retry header did not contain a valid timeout/;

/** Slack's word for why it did nothing; null where it is unknown whether it did. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof UploadRefused) return error.code;
  if (!(error instanceof WebAPIPlatformError)) return null;
  const { error: word } = error.data;
  return passing.has(word) || !oneWord.test(word) ? null : word;
}

/** The scopes that a refused call lacks, as far as Slack names them. */
export function missingScopesOf(error: unknown): readonly string[] {
  if (!(error instanceof WebAPIPlatformError) || error.data.error !== 'missing_scope') return [];
  const { needed, provided } = scopeLists.parse(error.data);
  const missing = needed.filter((scope) => !provided.includes(scope));
  return missing.length === 0 ? needed : missing;
}

const list = z
  .string()
  .catch('')
  .transform((text) => text.split(',').filter((scope) => /^[\w.:]+$/.test(scope)));
const scopeLists = z.object({ needed: list, provided: list });

/** Whole sentences on what the loss of the token means. */
export const tokenLost = "Slack no longer accepts Dwell's token. An admin must reinstall the app.";

const lostWords = ['invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'];

/** Slack's word for refusing the app's token itself; null where it did not. */
export function lostTokenWord(error: unknown): string | null {
  const word = refusalOf(error);
  return word !== null && lostWords.includes(word) ? word : null;
}

/** True if a failure says that Slack refuses the app's token itself: it is over once Slack accepts the token again. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'slack-token-refused';
}

/** An error that advises another try where Slack, or the way to it, failed; any other failure is handed back. */
export function tryAgain(cause: unknown): unknown {
  if (refusalOf(cause) !== null || !isUnwell(cause)) return cause;
  const [what, ...details] =
    cause instanceof WebAPIRateLimitedError
      ? [
          'Slack is busy.',
          `Try again in ${cause.retryAfter === 1 ? 'a second' : `${cause.retryAfter} seconds`}.`,
        ]
      : ["Slack can't be reached at the moment.", 'Try again later.'];
  return new AppError('slack-unavailable', what ?? '', details, { cause });
}

/** True if Slack may have done what it gave no answer to. */
export function perhapsDone(error: unknown): boolean {
  if (error instanceof WebAPIRateLimitedError || isUnsaidLimit(error)) return false;
  if (error instanceof WebAPIPlatformError && limited.includes(error.data.error)) return false;
  return refusalOf(error) === null && isUnwell(error);
}

function isUnwell(error: unknown): boolean {
  const failures = [WebAPIRequestError, WebAPIHTTPError, WebAPIRateLimitedError, WebAPIPlatformError];
  return failures.some((one) => error instanceof one) || isUnsaidLimit(error) || isBrokenOff(error);
}

function isUnsaidLimit(error: unknown): boolean {
  return error instanceof Error && unsaidLimit.test(error.message);
}

/** An answer that ends in its middle, or stops coming, is a failure of `fetch` that the client does not wrap. */
function isBrokenOff(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('name' in error)) return false;
  // A TypeError of our own has no cause.
  return error.name === 'TimeoutError' || (error.name === 'TypeError' && 'cause' in error);
}

/** Advice, in whole sentences, for each of Slack's words where a file or a message is refused. */
const explanations: readonly (readonly [sentences: string, ...words: string[]])[] = [
  [
    "I'm not in this channel. Type `/invite @Dwell` there and try again, or ask in a direct message with the app.",
    ...['not_in_channel', 'channel_not_found'],
  ],
  ['This channel is archived. Try another channel.', 'is_archived'],
  [
    "The rules of this workspace don't let me post here. Try another channel, or a direct message with the app.",
    ...['restricted_action', 'restricted_action_read_only_channel', 'restricted_action_thread_only_channel'],
    ...['restricted_action_non_threadable_channel', 'posting_to_general_channel_denied'],
    ...['posting_to_channel_denied'],
  ],
  ['This thread is locked. Try the channel instead.', 'restricted_action_thread_locked'],
  ["I can't send direct messages here. Try a channel that I'm in.", 'messages_tab_disabled'],
  ['The thread is gone. Try the channel instead.', 'thread_not_found'],
  [
    "I don't have permission. An admin must reinstall the app from its manifest.",
    ...['missing_scope', 'no_permission', 'not_allowed_token_type', 'access_denied'],
  ],
  [tokenLost, 'not_authed', ...lostWords],
  [
    "The rules of this workspace don't let me upload this file. Try another format, or ask an admin to allow it.",
    ...['file_upload_disabled', 'file_uploads_disabled', 'file_uploads_except_images_disabled'],
    ...['blocked_file_type'],
  ],
  [
    'The workspace has no room for this file. Try fewer issues, or ask an admin to make room.',
    ...['file_upload_size_restricted', 'storage_limit_reached', 'upload_413'],
  ],
];

/** Why Slack refused with this word, in sentences, with what to do; `cause` may name the scopes that lack. */
export function explainRefusal(code: string, cause: unknown): string {
  const scopes = missingScopesOf(cause);
  if (scopes.length > 0) return `I don't have permission. ${reinstallText(scopes)}`;
  const [sentences] = explanations.find(([, ...words]) => words.includes(code)) ?? [];
  return sentences ?? `Slack refused (${code}). Please ask an admin.`;
}

/** A sentence on adding scopes that are missing. */
export function reinstallText(scopes: readonly string[]): string {
  const [last = '', ...others] = scopes.toReversed();
  const named = others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
  return `An admin must reinstall the app with the ${others.length === 0 ? 'scope' : 'scopes'} ${named}.`;
}
