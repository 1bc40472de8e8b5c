/** The kind of a failure; each door translates the code once. An error that is no AppError is a bug. */
export type ErrorCode =
  | 'bad-request'
  | 'not-authenticated'
  | 'not-allowed'
  | 'not-found'
  | 'conflict'
  | 'too-many'
  | 'unavailable';

/**
 * The reasons of failures, for machines, and the code each belongs to: closed, so that a reader can branch on it. The
 * words of an error may change at any time, its reason does not.
 */
export const errorReasons = {
  // The request itself is wrong.
  'malformed-request': 'bad-request',
  'unknown-parameter': 'bad-request',
  'missing-value': 'bad-request',
  'invalid-value': 'bad-request',
  'conflicting-values': 'bad-request',
  'name-taken': 'bad-request',
  'unknown-name': 'bad-request',
  'invalid-query': 'bad-request',
  'in-use': 'bad-request',
  'already-over': 'bad-request',
  'ambiguous-name': 'bad-request',
  'too-large': 'bad-request',
  'not-configured': 'bad-request',
  'too-many-columns': 'bad-request',
  'expired-value': 'bad-request',
  'unknown-command': 'bad-request',
  'nothing-to-export': 'bad-request',
  'not-possible-here': 'bad-request',
  // The tracker, not Dwell, has the say in it.
  'decided-by-tracker': 'bad-request',
  'other-tracker': 'bad-request',
  // The tracker does not understand the request.
  'request-refused': 'bad-request',
  // The person who asks is unknown.
  'missing-token': 'not-authenticated',
  'invalid-token': 'not-authenticated',
  // The person who asks is known and lacks the right.
  'missing-right': 'not-allowed',
  'admin-only': 'not-allowed',
  'owner-only': 'not-allowed',
  'not-for-this-channel': 'not-allowed',
  'unknown-person-asks': 'not-allowed',
  'managed-by-tracker': 'not-allowed',
  'invalid-signature': 'not-allowed',
  'refused-by-tracker': 'not-allowed',
  'credentials-refused': 'not-allowed',
  'unexpected-answer': 'not-allowed',
  'refused-by-slack': 'not-allowed',
  // There is no such thing, or it is not theirs to see.
  'unknown-endpoint': 'not-found',
  'not-in-tracker': 'not-found',
  'unknown-issue': 'not-found',
  'unknown-sprint': 'not-found',
  'unknown-project': 'not-found',
  'unknown-person': 'not-found',
  'unknown-category': 'not-found',
  'unknown-delegation': 'not-found',
  'unknown-status': 'not-found',
  'unknown-calendar': 'not-found',
  'unknown-parameter-set': 'not-found',
  'unknown-export': 'not-found',
  'export-ended': 'not-found',
  'no-export-file': 'not-found',
  'invalid-link': 'not-found',
  'unknown-digest': 'not-found',
  'unknown-watch': 'not-found',
  'unknown-nudge': 'not-found',
  'unknown-token': 'not-found',
  'unknown-answer': 'not-found',
  'unknown-figure': 'not-found',
  // Somebody else has changed it since it was read.
  'changed-meanwhile': 'conflict',
  // There are enough of them already.
  'too-many-exports': 'too-many',
  'too-many-digests': 'too-many',
  'too-many-watches': 'too-many',
  // One token, address or tenant sent more requests than it can.
  'too-many-requests': 'too-many',
  // It may work later.
  'not-filled-yet': 'unavailable',
  overloaded: 'unavailable',
  'busy-elsewhere': 'unavailable',
  // It was sent and not answered: it may have been done.
  'outcome-unknown': 'unavailable',
  stopping: 'unavailable',
  'store-unavailable': 'unavailable',
  'tracker-unavailable': 'unavailable',
  // The tracker does not let Dwell's own account read who can see what.
  'tracker-permission-missing': 'unavailable',
  'service-unavailable': 'unavailable',
  // The service is there, but too old to answer.
  'service-too-old': 'unavailable',
  // The service behind has nothing of the kind.
  'unsupported-by-service': 'unavailable',
  'slack-unavailable': 'unavailable',
  // Slack refuses the app's token itself: nothing in it is to blame, and it goes on once Slack takes the token again.
  'slack-token-refused': 'unavailable',
  'port-unavailable': 'unavailable',
} as const satisfies Readonly<Record<string, ErrorCode>>;
export type ErrorReason = keyof typeof errorReasons;

/**
 * A problem of a field: `problem` goes on after its name, blank or colon included, so that a door may put its own word in
 * the name's place.
 */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** A whole sentence, or a problem of a field. */
export type Detail = string | FieldProblem;

/** A problem of a field, which begins the sentence. */
export function about(field: string, problem: string): FieldProblem {
  return { field, problem: ` ${problem}` };
}

/** The subject of an error, as plain JSON: for code that reads it, never for people. */
export interface ErrorData {
  /** The kind of thing `value` was meant to name. */
  readonly kind?: string;
  readonly value?: string | number;
  /** The values there are instead, as far as they are listed, and the number of those that are not. */
  readonly known?: readonly string[];
  readonly unlisted?: number;
  /** The likely meanings of `value`, the likeliest first. */
  readonly meant?: readonly string[];
  /** The allowed values, as the end of a sentence without its point. */
  readonly allowed?: string;
  readonly [more: string]: unknown;
}

interface ErrorFacts extends ErrorOptions {
  /** Sentences by the parameter or member they are about, beside those of details that name their field. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly data?: ErrorData;
}

/**
 * A failure a person can act upon. Code decides by `reason` (or, where any of a kind will do, by `code`) and `data`, never
 * by the sentences; `details` are whole sentences that name the field, the value and what works.
 */
export class AppError extends Error {
  readonly reason: ErrorReason;
  readonly code: ErrorCode;
  readonly details: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  readonly data: ErrorData;
  readonly #parts: readonly Detail[];

  constructor(
    reason: ErrorReason,
    message: string,
    details: readonly Detail[] = [],
    { fields = {}, data = {}, ...options }: ErrorFacts = {},
  ) {
    super(message, options);
    this.name = 'AppError';
    this.reason = reason;
    this.code = errorReasons[reason];
    this.details = details.map(sentenceOf);
    this.fields = { ...byField(details), ...fields };
    this.data = data;
    this.#parts = details;
  }

  /** The details as they were made: a door may call the fields otherwise. */
  get parts(): readonly Detail[] {
    return this.#parts;
  }
}

function sentenceOf(detail: Detail): string {
  return typeof detail === 'string' ? detail : detail.field + detail.problem;
}

function byField(details: readonly Detail[]): Readonly<Record<string, string>> {
  const named = details.filter((detail) => typeof detail !== 'string');
  const grouped = Map.groupBy(named, ({ field }) => field);
  return Object.fromEntries([...grouped].map(([field, own]) => [field, own.map(sentenceOf).join(' ')]));
}

/** The whole sentences of an error: its details, without the heading above them. */
export function sentencesOf({ message, details }: AppError): readonly string[] {
  return details.length > 0 ? details : [message];
}

/** The reason of a failure, to stand within a sentence. */
export function clauseOf(error: AppError): string {
  return withoutPoint(sentencesOf(error)[0] ?? '');
}

/** A sentence to stand within another. */
export function withoutPoint(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/** A reason why what was sent is wrong. */
export type BadRequestReason = {
  [R in ErrorReason]: (typeof errorReasons)[R] extends 'bad-request' ? R : never;
}[ErrorReason];

/** The title of such an error on the wire; where people read it, the sentences alone say what is wrong. */
const BAD_REQUEST = 'Bad request';

/** The request is wrong: each sentence names the parameter, its value and what is allowed. */
export function badRequest(...details: Detail[]): AppError {
  return badRequestAs('invalid-value', details);
}

/** A wrong request, as in `badRequest`, with a reason of its own. */
export function badRequestAs(
  reason: BadRequestReason,
  details: Detail | readonly Detail[],
  data: ErrorData = {},
): AppError {
  const all = typeof details === 'string' || 'field' in details ? [details] : details;
  return new AppError(reason, BAD_REQUEST, all, { data });
}

/** For `catch`: null in place of a failure with one of some codes or reasons. All others stay failures. */
export function nullOn(...foreseen: readonly (ErrorCode | ErrorReason)[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof AppError && [error.code, error.reason].some((one) => foreseen.includes(one)))
      return null;
    throw error;
  };
}

/** A failure in whole sentences; what is no sentence by itself leads on to its details with a colon. */
export function failureText({ message, details }: AppError): string {
  const sentences = message === BAD_REQUEST && details.length > 0 ? details : [message, ...details];
  return sentences.reduce((text, next) => `${text}${/[.?!]$/.test(text) ? '' : ':'} ${next}`);
}

/** More of a value does not help to recognise it. */
const MAX_QUOTE = 60;

/** A value for a sentence, in quotes, its end left out when it is long. */
export function quoted(value: string): string {
  return `'${value.length > MAX_QUOTE ? `${value.slice(0, MAX_QUOTE)}…` : value}'`;
}

/** The code that the system or a library gives an error, such as `ENOENT`; null where it has none. */
export function systemCode(error: unknown): string | null {
  if (error === null || typeof error !== 'object' || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** True if the system says that a disk, or the part of it that this user may fill, is full. */
export function isDiskFull(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** The failure of a service that Dwell goes on without: refused or unreachable, and the reason as a sentence. */
export interface Outage {
  readonly state: 'refused' | 'unreachable';
  readonly reason: string;
}
