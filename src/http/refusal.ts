const messages = {
  400: 'Bad request',
  405: 'Method not allowed',
  408: 'Request timeout',
  413: 'Content too large',
  415: 'Unsupported media type',
  431: 'Request header fields too large',
} as const;

/** A status that HTTP itself gives a meaning to. */
type RefusalStatus = keyof typeof messages;

/** What a refusal may come with; `fields` tells the sentence by the parameter it is about, or as that of the body. */
interface RefusalOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
}

/** A request refused by the rules of HTTP itself, whatever it asks; `details` are whole sentences, as of an AppError. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly details: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: RefusalStatus, detail: string, { headers = {}, fields = {} }: RefusalOptions = {}) {
    super(messages[status]);
    this.name = 'Refusal';
    this.status = status;
    this.details = [detail];
    this.headers = headers;
    this.fields = fields;
  }
}

/** A body that cannot be read as what it is said to be. */
export function badBody(detail: string): Refusal {
  return new Refusal(400, detail, { fields: { body: detail } });
}
