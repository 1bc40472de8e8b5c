import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
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

/** Words of Slack for being asked too much: nothing was done. */
const limited = ['ratelimited', 'rate_limited'];

/** Words of Slack for a trouble of its own. */
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

/** What the client says where Slack wants to be left alone and does not say for how long. */
const unsaidLimit = /^Retry header did not contain a valid timeout/;

/** Slack's word for why it did not do what it was asked; null where nobody knows whether it was done. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof UploadRefused) return error.code;
  if (!(error instanceof WebAPIPlatformError)) return null;
  const { error: word } = error.data;
  return isPassing(word) || !oneWord.test(word) ? null : word;
}

/** What the loss of the token means: whole sentences. */
export const tokenLost = "Slack no longer accepts Dwell's token. An admin must reinstall the app.";

const lostWords = ['invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'];

/** Whether Slack refused the app's token itself. */
export function isTokenLost(error: unknown): boolean {
  return lostWords.includes(refusalOf(error) ?? '');
}

/** Whether a word of Slack is about a trouble that may be over when it is asked again. */
export function isPassing(word: string): boolean {
  return passing.has(word);
}

/** What to do where Slack, or the way to it, failed: try again. Refusals and our own failures are handed back. */
export function tryAgain(error: unknown): unknown {
  if (refusalOf(error) !== null || !isUnwell(error)) return error;
  if (error instanceof WebAPIRateLimitedError) {
    const pause = error.retryAfter === 1 ? 'a second' : `${error.retryAfter} seconds`;
    return new AppError('slack-unavailable', `Slack wants a pause of ${pause}.`, ['Please try again then.'], {
      cause: error,
    });
  }
  return new AppError(
    'slack-unavailable',
    'Slack cannot be reached at the moment.',
    ['Please try again later.'],
    {
      cause: error,
    },
  );
}

/** Whether Slack may have done what it gave no answer to. */
export function perhapsDone(error: unknown): boolean {
  if (error instanceof WebAPIRateLimitedError || isUnsaidLimit(error)) return false;
  if (error instanceof WebAPIPlatformError && limited.includes(error.data.error)) return false;
  return refusalOf(error) === null && isUnwell(error);
}

function isUnwell(error: unknown): boolean {
  return (
    error instanceof WebAPIRequestError ||
    error instanceof WebAPIHTTPError ||
    error instanceof WebAPIRateLimitedError ||
    error instanceof WebAPIPlatformError ||
    isUnsaidLimit(error) ||
    isBrokenOff(error)
  );
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

const invite =
  'I am not in this channel. Type `/invite @Dwell` there and ask again, or ask in a direct message with the app.';
const rules =
  'The rules of this workspace keep me from posting here. Ask in another channel, or in a direct message with the app.';
const reinstall =
  'I lack a permission. An admin has to install the app again with the scopes chat:write, files:write and files:read.';
const files =
  'The rules of this workspace do not let me upload this file. Ask for another format, or ask an admin to allow it.';
const space = 'The workspace has no room for this file. Ask for fewer issues, or ask an admin to make room.';

/** What Slack's words mean for somebody who wants a file, and what to do: whole sentences. */
const explanations: Readonly<Record<string, string>> = {
  not_in_channel: invite,
  channel_not_found: invite,
  is_archived: 'This channel is archived. Ask in another channel.',
  restricted_action: rules,
  restricted_action_read_only_channel: rules,
  restricted_action_thread_only_channel: rules,
  restricted_action_non_threadable_channel: rules,
  restricted_action_thread_locked: 'This thread is locked. Ask in the channel instead.',
  posting_to_general_channel_denied: rules,
  posting_to_channel_denied: rules,
  messages_tab_disabled: 'I cannot be written to directly here. Ask in a channel that I am in.',
  thread_not_found: 'The thread is gone. Ask in the channel instead.',
  missing_scope: reinstall,
  no_permission: reinstall,
  not_allowed_token_type: reinstall,
  access_denied: reinstall,
  ...Object.fromEntries(lostWords.map((word) => [word, tokenLost])),
  file_upload_disabled: files,
  file_uploads_disabled: files,
  file_uploads_except_images_disabled: files,
  blocked_file_type: files,
  file_upload_size_restricted: space,
  storage_limit_reached: space,
  upload_413: space,
};

/** Why Slack refused, in words, with what to do. */
export function explainRefusal(code: string): string {
  return Object.hasOwn(explanations, code)
    ? (explanations[code] ?? '')
    : `Slack refused with the word ${code}. Please tell an admin.`;
}
