import { type ErrorReason, errorReasons } from '../model/error.ts';

const kinds = {
  400: { message: 'Bad request', reason: 'malformed-request' },
  405: { message: 'Method not allowed', reason: 'method-not-allowed' },
  408: { message: 'Request timeout', reason: 'request-timeout' },
  413: { message: 'Content too large', reason: 'content-too-large' },
  415: { message: 'Unsupported media type', reason: 'unsupported-media-type' },
  431: { message: 'Request header fields too large', reason: 'header-fields-too-large' },
} as const;

/** A status that HTTP itself gives a meaning to. */
type RefusalStatus = keyof typeof kinds;

/** Why a request may fail: the reasons of every error, those of HTTP itself, and a bug of ours. */
export type FailureReason = ErrorReason | (typeof kinds)[RefusalStatus]['reason'] | 'internal';

/** Every one of them. */
export const failureReasons: readonly string[] = [
  ...new Set([...Object.keys(errorReasons), ...Object.values(kinds).map(({ reason }) => reason), 'internal']),
];

/** What a refusal may come with; `fields` tells the sentence by the parameter it is about, or as that of the body. */
interface RefusalOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
}

/** A request refused by the rules of HTTP itself, whatever it asks; `details` are whole sentences, as of an AppError. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly reason: FailureReason;
  readonly details: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: RefusalStatus, detail: string, { headers = {}, fields = {} }: RefusalOptions = {}) {
    const { message, reason } = kinds[status];
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.reason = reason;
    this.details = [detail];
    this.headers = headers;
    this.fields = fields;
  }
}

/** A body that cannot be read as what it is said to be. */
export function badBody(detail: string): Refusal {
  return new Refusal(400, detail, { fields: { body: detail } });
}
