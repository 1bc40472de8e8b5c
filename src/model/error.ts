/** What kind of failure it is; each door translates the code once. Everything that is no AppError is a bug. */
export type ErrorCode =
  | 'bad-request'
  | 'not-authenticated'
  | 'not-allowed'
  | 'not-found'
  | 'too-many'
  | 'unavailable';

/** A failure a person can act upon. `details` are whole sentences that name the field, the value and what is allowed. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly string[];
  /** The same sentences by the parameter or member they are about, where they are about one. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: readonly string[] = [],
    { fields = {}, ...options }: ErrorOptions & { readonly fields?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.fields = fields;
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
