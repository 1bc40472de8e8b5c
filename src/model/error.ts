/** What kind of failure it is; each door translates the code once. Everything that is no AppError is a bug. */
export type ErrorCode =
  | 'bad-request'
  | 'not-authenticated'
  | 'not-allowed'
  | 'not-found'
  | 'too-many'
  | 'unavailable';

/**
 * Why something failed, for machines, and the code each reason belongs to: closed, so that a reader can branch on it. The
 * words of an error may change at any time, its reason does not.
 */
export const errorReasons = {
  // What was sent is wrong.
  'malformed-request': 'bad-request',
  'unknown-parameter': 'bad-request',
  'missing-value': 'bad-request',
  'invalid-value': 'bad-request',
  'conflicting-values': 'bad-request',
  'name-taken': 'bad-request',
  'unknown-name': 'bad-request',
  'invalid-query': 'bad-request',
  'not-understood': 'bad-request',
  'in-use': 'bad-request',
  'already-over': 'bad-request',
  'not-configured': 'bad-request',
  'too-many-columns': 'bad-request',
  // Who asks is unknown.
  'missing-token': 'not-authenticated',
  'invalid-token': 'not-authenticated',
  // Who asks is known, and it is not theirs.
  'missing-right': 'not-allowed',
  'admin-only': 'not-allowed',
  'owner-only': 'not-allowed',
  'not-for-this-channel': 'not-allowed',
  'unknown-person-asks': 'not-allowed',
  'managed-by-tracker': 'not-allowed',
  'invalid-signature': 'not-allowed',
  // There is no such thing, or it is not theirs to see.
  'unknown-endpoint': 'not-found',
  'unknown-issue': 'not-found',
  'unknown-sprint': 'not-found',
  'unknown-person': 'not-found',
  'unknown-category': 'not-found',
  'unknown-delegation': 'not-found',
  'unknown-calendar': 'not-found',
  'unknown-parameter-set': 'not-found',
  'unknown-export': 'not-found',
  'export-ended': 'not-found',
  'no-export-file': 'not-found',
  'invalid-link': 'not-found',
  'unknown-digest': 'not-found',
  'unknown-watch': 'not-found',
  'unknown-token': 'not-found',
  'unknown-answer': 'not-found',
  'unknown-figure': 'not-found',
  // There are enough of them already.
  'too-many-exports': 'too-many',
  'too-many-digests': 'too-many',
  'too-many-watches': 'too-many',
  'rate-limited': 'too-many',
  // It may work later.
  'not-filled-yet': 'unavailable',
  'busy-elsewhere': 'unavailable',
  // It was sent and not answered: it may have been done.
  'outcome-unknown': 'unavailable',
  stopping: 'unavailable',
  'store-unavailable': 'unavailable',
  'tracker-unavailable': 'unavailable',
  'service-unavailable': 'unavailable',
  'slack-unavailable': 'unavailable',
  // Not yet told apart.
  'bad-request': 'bad-request',
  'not-authenticated': 'not-authenticated',
  'not-allowed': 'not-allowed',
  'not-found': 'not-found',
  'too-many': 'too-many',
  unavailable: 'unavailable',
} as const satisfies Readonly<Record<string, ErrorCode>>;
export type ErrorReason = keyof typeof errorReasons;

/** What an error says beside its sentences: its reason in full for machines, and the sentences by field. */
interface ErrorFacts extends ErrorOptions {
  /** The same sentences by the parameter or member they are about, where they are about one. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What the reason is about, such as `{ field, value, known }`; plain JSON. */
  readonly data?: Readonly<Record<string, unknown>>;
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
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    reason: ErrorReason,
    message: string,
    details: readonly string[] = [],
    { fields = {}, data = {}, ...options }: ErrorFacts = {},
  ) {
    super(message, options);
    this.name = 'AppError';
    this.reason = reason;
    this.code = errorReasons[reason];
    this.details = details;
    this.fields = fields;
    this.data = data;
  }
}

/** Why something failed, to stand within a sentence. */
export function reasonOf({ message, details }: AppError): string {
  return (details[0] ?? message).replace(/\.$/, '');
}

/** The request is wrong: each sentence names the parameter, its value and what is allowed. */
export function badRequest(...details: string[]): AppError {
  return new AppError('bad-request', 'Bad request', details);
}

/** The same, by parameter: each sentence begins with its name. */
export function badFields(fields: Readonly<Record<string, string>>): AppError {
  return new AppError('bad-request', 'Bad request', Object.values(fields), { fields });
}

/** A failure in whole sentences; what is no sentence by itself leads on to its details with a colon. */
export function failureText({ message, details }: AppError): string {
  return [message, ...details].reduce((text, next) => `${text}${/[.?!]$/.test(text) ? '' : ':'} ${next}`);
}
